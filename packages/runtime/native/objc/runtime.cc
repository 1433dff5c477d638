#include "runtime.h"

#include <dlfcn.h>

#include <cstdlib>

namespace metile::objc {

Runtime runtime;

namespace {

// Where symbols are looked up. The stand-in is all of them.
struct Libraries {
  void* objc = nullptr;
  void* system = nullptr;
  void* metal = nullptr;
};

std::string loaderError(const char* what) {
  const char* error = dlerror();
  return std::string(what) + " cannot be opened: " + (error != nullptr ? error : "no reason given");
}

std::string openStandin(const char* path, Libraries& libraries) {
  void* standin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (standin == nullptr) return loaderError("The stand-in that METILE_METAL_STANDIN names");
  libraries = {standin, standin, standin};
  runtime.standin = true;
  return {};
}

std::string openFrameworks(Libraries& libraries) {
#if defined(__APPLE__)
  // In dyld's cache alone: they can be opened, though no such file exists.
  libraries.objc = dlopen("/usr/lib/libobjc.A.dylib", RTLD_NOW | RTLD_LOCAL);
  if (libraries.objc == nullptr) return loaderError("libobjc");
  libraries.system = dlopen("/usr/lib/libSystem.B.dylib", RTLD_NOW | RTLD_LOCAL);
  if (libraries.system == nullptr) return loaderError("libSystem");
  dlopen("/System/Library/Frameworks/Foundation.framework/Foundation", RTLD_NOW | RTLD_LOCAL);
  // Without it a command-line process may have no default device.
  dlopen("/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics", RTLD_NOW | RTLD_LOCAL);
  libraries.metal = dlopen("/System/Library/Frameworks/Metal.framework/Metal", RTLD_NOW | RTLD_LOCAL);
  if (libraries.metal == nullptr) return loaderError("Metal.framework");
  return {};
#else
  (void)libraries;
  return "Metal is part of macOS, which this system is not";
#endif
}

template <typename Function>
void find(void* library, const char* name, Function& target, std::string& missing) {
  target = reinterpret_cast<Function>(dlsym(library, name));
  if (target == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(name);
}

std::string open() {
  Libraries libraries;
  const char* standin = std::getenv("METILE_METAL_STANDIN");
  const std::string failure =
      standin != nullptr && *standin != '\0' ? openStandin(standin, libraries) : openFrameworks(libraries);
  if (!failure.empty()) return failure;
  std::string missing;
  find(libraries.objc, "objc_msgSend", runtime.messageSend, missing);
#if defined(__x86_64__)
  find(libraries.objc, "objc_msgSend_stret", runtime.messageSendStructure, missing);
#endif
  find(libraries.objc, "objc_getClass", runtime.getClass, missing);
  find(libraries.objc, "sel_registerName", runtime.registerName, missing);
  find(libraries.objc, "objc_autoreleasePoolPush", runtime.poolPush, missing);
  find(libraries.objc, "objc_autoreleasePoolPop", runtime.poolPop, missing);
  find(libraries.objc, "objc_retain", runtime.retain, missing);
  find(libraries.objc, "objc_release", runtime.release, missing);
  find(libraries.objc, "object_getClass", runtime.classOf, missing);
  find(libraries.objc, "class_getInstanceMethod", runtime.instanceMethod, missing);
  find(libraries.objc, "method_getTypeEncoding", runtime.methodEncoding, missing);
  find(libraries.system, "_NSConcreteStackBlock", runtime.stackBlock, missing);
  find(libraries.metal, "MTLCreateSystemDefaultDevice", runtime.createSystemDefaultDevice, missing);
  find(libraries.metal, "MTLCopyAllDevices", runtime.copyAllDevices, missing);
  return missing.empty() ? std::string() : "This system's Metal lacks " + missing;
}

}  // namespace

const std::string& load() {
  static const std::string* reason = new std::string(open());
  return *reason;
}

}  // namespace metile::objc
