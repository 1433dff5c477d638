// The Node addon: loads the Mach-O addon that METILE_MACHO_ADDON names, and hands Node's calls on to it.
#include <dlfcn.h>
#include <node_api.h>

#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "image.h"

namespace macho {
namespace {

// Node unloads an addon with the last environment that loaded it; the Mach-O addon's threads go on.
void stayLoaded() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&stayLoaded), &self) != 0) dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

Image& addon() {
  const char* path = std::getenv("METILE_MACHO_ADDON");
  if (path == nullptr) throw std::runtime_error("METILE_MACHO_ADDON names no addon");
  stayLoaded();
  return Image::load(path);
}

template <typename Function>
Function* entry(const char* name) {
  void* found = addon().symbol(name);
  if (found == nullptr) throw std::runtime_error(std::string("the addon does not export ") + name);
  return reinterpret_cast<Function*>(found);
}

}  // namespace
}  // namespace macho

extern "C" NAPI_MODULE_EXPORT int32_t node_api_module_get_api_version_v1() {
  try {
    return macho::entry<int32_t()>("_node_api_module_get_api_version_v1")();
  } catch (const std::exception&) {
    return 8;  // registration meets the same error, and can tell it
  }
}

extern "C" NAPI_MODULE_EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  try {
    return macho::entry<napi_value(napi_env, napi_value)>("_napi_register_module_v1")(env, exports);
  } catch (const std::exception& error) {
    napi_throw_error(env, "METILE_MACHO", error.what());
    return nullptr;
  }
}
