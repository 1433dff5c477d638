// Registration of the addon.
#include <dlfcn.h>
#include <napi.h>

#include "../cpu/libraries.h"
#include "devices.h"
#include "native_device.h"

namespace metile {
namespace {

// Node unloads an addon when the last environment that loaded it ends, which a worker may be. Threads of the stream
// would then run code that is gone: keep it for good.
void stayLoaded() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&stayLoaded), &self) == 0 || self.dli_fname == nullptr) return;
  dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  stayLoaded();
  auto environment = Environment::create(env);
  if (!environment) throw Napi::Error::New(env);
  auto* addon = new Addon;
  addon->environment = std::move(environment);
  addon->deviceClass = Napi::Persistent(NativeDevice::define(env));
  env.SetInstanceData(addon);
  exports.Set("artefactVersion", static_cast<double>(artefactVersion));
  exports.Set("shared", Napi::Object::New(env));
  exports.Set("cpu", Napi::Function::New<cpu>(env, "cpu"));
  exports.Set("openCpu", Napi::Function::New<openCpu>(env, "openCpu"));
  exports.Set("metal", Napi::Function::New<metalAvailability>(env, "metal"));
  exports.Set("openMetal", Napi::Function::New<openMetal>(env, "openMetal"));
  exports.Set("metalAbi", Napi::Function::New<metalAbi>(env, "metalAbi"));
  exports.Set("cuda", Napi::Function::New<cudaAvailability>(env, "cuda"));
  exports.Set("openCuda", Napi::Function::New<openCuda>(env, "openCuda"));
  exports.Set("cudaCompiled", Napi::Function::New<cudaCompiled>(env, "cudaCompiled"));
  return exports;
}

}  // namespace
}  // namespace metile

static Napi::Object initializeModule(Napi::Env env, Napi::Object exports) { return metile::initialize(env, exports); }

NODE_API_MODULE(metile_runtime, initializeModule)
