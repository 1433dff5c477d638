// The CPU device: what it is, and its one stream.
#include "../cpu/cpu_device.h"
#include "../cpu/levels.h"
#include "../cpu/system.h"
#include "devices.h"
#include "native_device.h"

namespace metile {
namespace {

// Never destroyed: its threads may work while the process ends.
Stream& cpuStream() {
  static Stream* stream = new Stream(*new CpuDevice);
  return *stream;
}

}  // namespace

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

Napi::Value openCpu(const Napi::CallbackInfo& info) { return NativeDevice::open(info.Env(), cpuStream()); }

}  // namespace metile
