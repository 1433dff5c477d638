#include "file.h"

#include <cstdio>
#include <memory>
#include <stdexcept>

#include "format.h"

namespace macho {
namespace {

using Handle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::vector<std::uint8_t> readAll(const std::string& path) {
  Handle file(std::fopen(path.c_str(), "re"), std::fclose);
  if (!file) throw std::runtime_error("no such file: " + path);
  std::vector<std::uint8_t> contents;
  std::uint8_t part[1 << 16];
  while (const std::size_t length = std::fread(part, 1, sizeof part, file.get())) {
    contents.insert(contents.end(), part, part + length);
  }
  return contents;
}

// Names of segments and sections fill their 16 bytes, with or without a zero at the end.
std::string nameAt(const std::uint8_t* place) {
  const char* text = reinterpret_cast<const char*>(place);
  return std::string(text, strnlen(text, 16));
}

}  // namespace

bool File::isMachO(const std::string& path) {
  Handle file(std::fopen(path.c_str(), "re"), std::fclose);
  std::uint32_t word = 0;
  return file && std::fread(&word, sizeof word, 1, file.get()) == 1 && word == magic64;
}

File::File(const std::string& path) : path_(path), contents_(readAll(path)) {
  const std::uint8_t* bytes = data();
  if (contents_.size() < headerBytes || readAt<std::uint32_t>(bytes) != magic64 ||
      readAt<std::uint32_t>(bytes, 4) != cpuArm64) {
    throw std::runtime_error("no Mach-O file for arm64: " + path);
  }
  std::size_t offset = headerBytes;
  for (std::uint32_t left = readAt<std::uint32_t>(bytes, 16); left > 0; left--) {
    const std::uint32_t kind = readAt<std::uint32_t>(bytes, offset);
    const std::uint32_t size = readAt<std::uint32_t>(bytes, offset + 4);
    if (size < 8 || offset + size > contents_.size()) throw std::runtime_error("damaged load commands: " + path);
    if (kind == command::segment) readSegment(offset);
    if (kind == command::dyldInfo) dyldInfo_ = offset;
    if (kind == command::chainedFixups) throw std::runtime_error("chained fixups are not implemented: " + path);
    if (kind == command::loadDylib) {
      libraries_.emplace_back(reinterpret_cast<const char*>(bytes + offset + readAt<std::uint32_t>(bytes, offset + 8)));
    }
    offset += size;
  }
  if (dyldInfo_ == 0) throw std::runtime_error("no tables for dyld: " + path);
}

void File::readSegment(std::size_t offset) {
  const std::uint8_t* at = data() + offset;
  const Segment segment{nameAt(at + 8),
                        readAt<std::uint64_t>(at, 24),
                        readAt<std::uint64_t>(at, 32),
                        readAt<std::uint64_t>(at, 40),
                        readAt<std::uint64_t>(at, 48),
                        readAt<std::uint32_t>(at, 60)};
  if (segment.fileOffset + segment.fileSize > contents_.size() || segment.fileSize > segment.size) {
    throw std::runtime_error("segment " + segment.name + " is not in the file: " + path_);
  }
  segments_.push_back(segment);
  for (std::uint32_t index = 0; index < readAt<std::uint32_t>(at, 64); index++) {
    const std::uint8_t* section = at + 72 + 80 * index;
    sections_.push_back({nameAt(section + 16), nameAt(section), readAt<std::uint64_t>(section, 32),
                         readAt<std::uint64_t>(section, 40), readAt<std::uint32_t>(section, 64) & section::typeMask});
  }
}

const Section* File::section(const std::string& segment, const std::string& name) const {
  for (const Section& section : sections_) {
    if (section.segment == segment && section.name == name) return &section;
  }
  return nullptr;
}

Bytes File::table(std::size_t index) const {
  const std::uint8_t* fields = data() + dyldInfo_ + 8 + 8 * index;
  const std::uint32_t offset = readAt<std::uint32_t>(fields);
  const std::uint32_t size = readAt<std::uint32_t>(fields, 4);
  if (static_cast<std::size_t>(offset) + size > contents_.size()) {
    throw std::runtime_error("a table lies outside of the file: " + path_);
  }
  return Bytes(data() + offset, size);
}

}  // namespace macho
