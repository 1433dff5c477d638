// Registration of the addon.
#include <dlfcn.h>
#include <napi.h>

#include "../cpu/levels.h"
#include "../cpu/libraries.h"
#include "../cpu/system.h"
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

Napi::Value cpu(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::vector<std::string> levels = instructionLevels();
  Napi::Array names = Napi::Array::New(env, levels.size());
  for (std::size_t index = 0; index < levels.size(); index++) names.Set(static_cast<std::uint32_t>(index), levels[index]);
  Napi::Object result = Napi::Object::New(env);
  result.Set("brand", processorName());
  result.Set("cores", static_cast<double>(system::cores()));
  result.Set("levels", names);
  return result;
}

Napi::Value openCpu(const Napi::CallbackInfo& info) {
  return info.Env().GetInstanceData<Addon>()->deviceClass.New({});
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
  return exports;
}

}  // namespace
}  // namespace metile

static Napi::Object initializeModule(Napi::Env env, Napi::Object exports) { return metile::initialize(env, exports); }

NODE_API_MODULE(metile_runtime, initializeModule)
