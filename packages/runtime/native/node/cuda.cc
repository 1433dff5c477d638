// NVIDIA devices: whether there are any, what they say of themselves, and a stream for each.
#include "../cuda/cuda_device.h"
#include "../cuda/nvrtc.h"
#include "../cuda/system.h"
#include "arguments.h"
#include "devices.h"
#include "native_device.h"

namespace metile {
namespace {

constexpr std::uint64_t mostDevices = 255;

Napi::Object factsObject(Napi::Env env, const cuda::Facts& facts) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("index", facts.index);
  result.Set("name", facts.name);
  result.Set("architecture", "sm_" + std::to_string(facts.architecture));
  result.Set("multiprocessors", facts.multiprocessors);
  result.Set("memoryBytes", static_cast<double>(facts.memoryBytes));
  result.Set("threadgroupBytes", facts.sharedBytes);
  result.Set("driverVersion", facts.driverVersion);
  return result;
}

}  // namespace

// { available, reason } or { available, devices, driver, compiler }. Starts the driver, opens no device.
Napi::Value cudaAvailability(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object result = Napi::Object::New(env);
  std::string reason = cuda::loadDriver();
  const int count = reason.empty() ? cuda::deviceCount() : 0;
  if (reason.empty() && count == 0) reason = "the NVIDIA driver has no device (CUDA_VISIBLE_DEVICES may hide it)";
  if (reason.empty()) reason = cuda::Nvrtc::missing();
  result.Set("available", reason.empty());
  if (!reason.empty()) {
    result.Set("reason", reason);
    return result;
  }
  Napi::Array devices = Napi::Array::New(env, static_cast<std::size_t>(count));
  for (int index = 0; index < count; index++) devices.Set(static_cast<std::uint32_t>(index), factsObject(env, cuda::factsOf(index)));
  const cuda::Nvrtc& compiler = cuda::Nvrtc::get();
  result.Set("devices", devices);
  result.Set("driver", cuda::driver.path);
  result.Set("compiler", compiler.path());
  result.Set("compilerVersion", std::to_string(compiler.major()) + "." + std::to_string(compiler.minor()));
  return result;
}

Napi::Value openCuda(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const auto index = static_cast<int>(wholeArgument(info[0], "index", mostDevices));
    return NativeDevice::open(info.Env(), *cuda::openDevice(index).stream);
  });
}

// How many kernels NVRTC compiled in this process for an open device; what was found on disk is not counted.
Napi::Value cudaCompiled(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const cuda::CudaDevice* device = cuda::opened(static_cast<int>(wholeArgument(info[0], "index", mostDevices)));
    return Napi::Number::New(info.Env(), device == nullptr ? 0.0 : static_cast<double>(device->compiledKernels()));
  });
}

}  // namespace metile
