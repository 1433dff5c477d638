// dlopen and its relatives: Mach-O files through this loader, macOS's frameworks as the stand-in, all else through Linux.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "../image.h"
#include "../imports.h"

namespace macho {
namespace {

constexpr int appleNoLoad = 0x10;

thread_local std::string lastError;
thread_local bool hasError = false;

void* fail(const std::string& reason) {
  lastError = reason;
  hasError = true;
  return nullptr;
}

char* error() {
  if (!hasError) return nullptr;
  hasError = false;
  return lastError.data();
}

bool startsWith(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

bool isOfApple(const std::string& path) {
  return startsWith(path, "/System/Library/") || startsWith(path, "/usr/lib/lib");
}

// Stands for libSystem as a handle.
char systemHandle;

// METILE_MACHO_RENAME="-linux-arm64.so=-darwin-arm64.dylib": the packages ask for the libraries of the system on which
// Node says it runs.
std::string renamed(const std::string& path) {
  const char* variable = std::getenv("METILE_MACHO_RENAME");
  if (variable == nullptr) return path;
  const std::string rule = variable;
  const std::size_t split = rule.find('=');
  const std::string from = rule.substr(0, split);
  if (split == std::string::npos || path.size() < from.size() || path.compare(path.size() - from.size(), from.size(), from) != 0) {
    return path;
  }
  return path.substr(0, path.size() - from.size()) + rule.substr(split + 1);
}

void* openNative(const std::string& path, int flags) {
  const int native = (flags & 1 ? RTLD_LAZY : 0) | (flags & 2 ? RTLD_NOW : 0) | (flags & 8 ? RTLD_GLOBAL : 0) |
                     (flags & appleNoLoad ? RTLD_NOLOAD : 0) | (flags & 0x80 ? RTLD_NODELETE : 0);
  void* handle = dlopen(path.c_str(), (native & (RTLD_LAZY | RTLD_NOW)) != 0 ? native : native | RTLD_NOW);
  if (handle != nullptr) return handle;
  const char* reason = dlerror();
  return fail(reason != nullptr ? reason : "dlopen failed");
}

void* openApple(const std::string& path, int flags) {
  if (startsWith(path, "/usr/lib/libSystem")) return &systemHandle;
  const char* standin = std::getenv("METILE_METAL_STANDIN");
  if (standin == nullptr) return fail("dlopen(" + path + "): no such file, and METILE_METAL_STANDIN names no stand-in");
  return openNative(standin, flags);
}

void* open(const char* name, int flags) {
  if (name == nullptr) return &systemHandle;
  const std::string path = renamed(name);
  if (Image* image = Image::find(path)) return image;
  if (isOfApple(path)) return openApple(path, flags);
  if (!File::isMachO(path)) return openNative(path, flags);
  if ((flags & appleNoLoad) != 0) return fail(path + " is not loaded");
  try {
    return &Image::load(path);
  } catch (const std::exception& reason) {
    return fail(reason.what());
  }
}

void* find(void* handle, const char* name) {
  const std::string decorated = std::string("_") + name;
  void* found = nullptr;
  const auto special = reinterpret_cast<std::intptr_t>(handle);
  if (special >= -5 && special <= -1) {  // RTLD_NEXT, RTLD_DEFAULT, RTLD_SELF, RTLD_MAIN_ONLY
    found = Image::symbolAnywhere(decorated);
    if (found == nullptr) found = findSystemSymbol(decorated);
  } else if (handle == &systemHandle) {
    found = findSystemSymbol(decorated);
  } else if (const Image* image = Image::find(static_cast<const void*>(handle))) {
    found = image->symbol(decorated);
  } else {
    found = dlsym(handle, name);
  }
  return found != nullptr ? found : fail(std::string("dlsym: symbol not found: ") + name);
}

// Images stay: macOS would unmap a library that nobody holds, but code of ours never counts on that.
int close(void*) { return 0; }

int describe(const void* address, Dl_info* info) {
  const Image* image = Image::containing(address);
  if (image == nullptr) return dladdr(address, info);
  *info = {image->path().c_str(), image->base(), nullptr, nullptr};
  return 1;
}

}  // namespace

std::vector<Provided> libraryFunctions() {
  return {
      provide("_dlopen", open),   provide("_dlsym", find),      provide("_dlclose", close),
      provide("_dlerror", error), provide("_dladdr", describe),
  };
}

}  // namespace macho
