#include "image.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "exports.h"
#include "format.h"
#include "imports.h"
#include "opcodes.h"
#include "thread_variables.h"
#include "unwind.h"

namespace macho {
namespace {

// Recursive: an initialiser may open another library.
std::recursive_mutex& registryMutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

std::vector<Image*>& registry() {
  static auto* images = new std::vector<Image*>;
  return *images;
}

template <typename Matches>
Image* findWhere(Matches matches) {
  std::lock_guard<std::recursive_mutex> lock(registryMutex());
  for (Image* image : registry()) {
    if (matches(*image)) return image;
  }
  return nullptr;
}

}  // namespace

Image& Image::load(const std::string& path) {
  std::lock_guard<std::recursive_mutex> lock(registryMutex());
  if (Image* found = find(path)) return *found;
  std::unique_ptr<Image> image(new Image(path));
  image->map();
  image->rebase();
  image->prepareThreadVariables();
  image->bind();
  image->protect();
  image->registerUnwinding();
  registry().push_back(image.get());
  image->initialize();
  if (std::getenv("METILE_MACHO_TRACE") != nullptr) std::fprintf(stderr, "macho: loaded %s\n", path.c_str());
  return *image.release();
}

Image* Image::find(const std::string& path) {
  return findWhere([&](const Image& image) { return image.path() == path; });
}

Image* Image::find(const void* handle) {
  return findWhere([&](const Image& image) { return &image == handle; });
}

Image* Image::containing(const void* address) {
  const auto* place = static_cast<const std::uint8_t*>(address);
  return findWhere([&](const Image& image) { return place >= image.base_ && place < image.base_ + image.size_; });
}

void* Image::symbolAnywhere(const std::string& name) {
  void* found = nullptr;
  findWhere([&](const Image& image) { return (found = image.symbol(name)) != nullptr; });
  return found;
}

Image::Image(const std::string& path) : file_(path) {
  for (const Segment& segment : file_.segments()) size_ = std::max(size_, segment.address + segment.size);
}

std::uint8_t* Image::at(std::uint64_t segment, std::uint64_t offset) const {
  if (segment >= file_.segments().size() || offset + 8 > file_.segments()[segment].size) {
    throw std::runtime_error("dyld's tables name a place outside of the segments: " + path());
  }
  return at(file_.segments()[segment].address + offset);
}

void Image::map() {
  void* found = mmap(nullptr, size_ + pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) throw std::runtime_error("no memory for " + path());
  base_ = reinterpret_cast<std::uint8_t*>((reinterpret_cast<std::uintptr_t>(found) + pageBytes - 1) & ~(pageBytes - 1));
  for (const Segment& segment : file_.segments()) {
    if (segment.address % pageBytes != 0) throw std::runtime_error("segment " + segment.name + " is not on a page");
    std::memcpy(at(segment.address), file_.data() + segment.fileOffset, segment.fileSize);
  }
}

void Image::rebase() {
  forEachRebase(file_.rebases(), [this](const Place& place) {
    std::uint8_t* word = at(place.segment, place.offset);
    const std::uint64_t moved = readAt<std::uint64_t>(word) + reinterpret_cast<std::uintptr_t>(base_);
    std::memcpy(word, &moved, sizeof moved);
  });
}

void Image::bind() {
  const auto write = [this](const Place& place, const Import& import) {
    const auto value = reinterpret_cast<std::uintptr_t>(resolveImport(import, file_.libraries())) +
                       static_cast<std::uint64_t>(import.addend);
    std::memcpy(at(place.segment, place.offset), &value, sizeof value);
  };
  forEachBind(file_.binds(), false, write);
  forEachBind(file_.lazyBinds(), true, write);  // at once: a library that cannot be bound is refused here
  if (!file_.weakBinds().empty()) throw std::runtime_error("weak binds are not implemented: " + path());
}

void Image::protect() {
  for (const Segment& segment : file_.segments()) {
    const int protection = (segment.protection & 1 ? PROT_READ : 0) | (segment.protection & 2 ? PROT_WRITE : 0) |
                           (segment.protection & 4 ? PROT_EXEC : 0);
    const std::uint64_t size = (segment.size + pageBytes - 1) & ~(pageBytes - 1);
    if (segment.size > 0 && mprotect(at(segment.address), size, protection) != 0) {
      throw std::runtime_error("segment " + segment.name + " cannot be protected: " + path());
    }
  }
  __builtin___clear_cache(reinterpret_cast<char*>(base_), reinterpret_cast<char*>(base_ + size_));
}

void Image::registerUnwinding() {
  const Section* table = file_.section("__TEXT", "__unwind_info");
  const Section* frames = file_.section("__TEXT", "__eh_frame");
  if (table == nullptr || file_.section("__TEXT", "__gcc_except_tab") == nullptr) return;  // no code that catches
  macho::registerUnwinding({base_, at(table->address), table->size, frames == nullptr ? nullptr : at(frames->address)});
}

void Image::prepareThreadVariables() {
  ThreadTemplate initial;
  for (const Section& section : file_.sections()) {
    if (section.type != section::threadData && section.type != section::threadZeros) continue;
    if (initial.start == nullptr) initial.start = at(section.address);
    initial.bytes = static_cast<std::size_t>(at(section.address) + section.size - initial.start);
  }
  for (const Section& section : file_.sections()) {
    if (section.type == section::threadVariables) {
      macho::prepareThreadVariables(at(section.address), section.size, initial);
    }
  }
}

void Image::initialize() {
  for (const Section& section : file_.sections()) {
    const bool offsets = section.type == section::initializerOffsets;
    if (!offsets && section.type != section::initializers) continue;
    for (std::uint64_t done = 0; done < section.size; done += offsets ? 4 : 8) {
      const std::uint8_t* entry = at(section.address + done);
      const std::uint64_t address = offsets ? reinterpret_cast<std::uintptr_t>(base_) + readAt<std::uint32_t>(entry)
                                            : readAt<std::uint64_t>(entry);
      reinterpret_cast<void (*)(int, char**, char**, char**, void*)>(address)(0, nullptr, nullptr, nullptr, nullptr);
    }
  }
}

void* Image::symbol(const std::string& name) const {
  const auto [start, bytes] = file_.exports().rest();
  const auto found = findExport(start, bytes, name);
  return found ? at(*found) : nullptr;
}

}  // namespace macho
