// In place of node/cuda.cc and cuda/, which only Linux's addon has: NVIDIA has no driver for macOS.
#include "../node/devices.h"
#include "../node/native_device.h"
#include "../stream/failure.h"

namespace metile {
namespace {

constexpr const char* reason = "NVIDIA has no driver for macOS";

}  // namespace

Napi::Value cudaAvailability(const Napi::CallbackInfo& info) {
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("available", false);
  result.Set("reason", reason);
  return result;
}

Napi::Value openCuda(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), []() -> Napi::Value { throw Failure(FailureKind::device, reason); });
}

Napi::Value cudaCompiled(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), 0); }

}  // namespace metile
