#include "libraries.h"

#include <dlfcn.h>

#include "../stream/failure.h"

namespace metile {
namespace {

constexpr std::size_t maximumKernels = 1 << 16;

}  // namespace

Libraries::Libraries() : entries_(new Entry[maximumKernels]) {}

std::uint32_t Libraries::load(const std::string& path) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t index = 0; index < libraries_.size(); index++) {
    if (libraries_[index].path == path) return static_cast<std::uint32_t>(index) + 1;
  }
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    throw Failure(FailureKind::library, joined("cannot load ", path, ": ", reason != nullptr ? reason : "unknown reason"));
  }
  const auto* version = static_cast<const std::uint32_t*>(dlsym(handle, "metile_artefact_version"));
  if (version == nullptr || *version != artefactVersion) {
    const std::string found = version == nullptr ? "no artefact version" : joined("artefact version ", *version);
    dlclose(handle);
    throw Failure(FailureKind::library, joined(path, " has ", found, "; version ", artefactVersion, " is wanted"));
  }
  libraries_.push_back({path, handle});
  libraryCount_.store(static_cast<std::uint32_t>(libraries_.size()), std::memory_order_release);
  return static_cast<std::uint32_t>(libraries_.size());
}

std::uint32_t Libraries::kernel(std::uint32_t library, const std::string& entry) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (library == 0 || library > libraries_.size()) {
    throwRange("library ", library, " does not exist; there are ", libraries_.size());
  }
  for (std::size_t index = 0; index < kernels_.size(); index++) {
    if (kernels_[index].library == library && kernels_[index].name == entry) return static_cast<std::uint32_t>(index) + 1;
  }
  const Library& from = libraries_[library - 1];
  void* found = dlsym(from.handle, entry.c_str());
  if (found == nullptr) throw Failure(FailureKind::kernel, joined("no kernel ", entry, " in ", from.path));
  if (kernels_.size() == maximumKernels) {
    throw Failure(FailureKind::kernel, joined("no more than ", maximumKernels, " kernels can be loaded; ", entry, " is too many"));
  }
  entries_[kernels_.size()] = reinterpret_cast<Entry>(found);
  kernels_.push_back({library, entry});
  kernelCount_.store(static_cast<std::uint32_t>(kernels_.size()), std::memory_order_release);
  return static_cast<std::uint32_t>(kernels_.size());
}

}  // namespace metile
