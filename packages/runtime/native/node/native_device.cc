#include "native_device.h"

#include "arguments.h"
#include "errors.h"

namespace metile {
namespace {

constexpr std::uint64_t maximumThreads = 1024;

}  // namespace

void throwFailure(Napi::Env env, const Failure& failure) {
  napi_value error = nullptr;
  if (!makeFailureError(env, failure, &error)) throw Napi::Error::New(env);  // whatever is pending
  throw Napi::Error(env, error);
}

Napi::Function NativeDevice::define(Napi::Env env) {
  return DefineClass(env, "NativeDevice",
                     {
                         InstanceAccessor<&NativeDevice::threads, &NativeDevice::setThreads>("threads", napi_enumerable),
                         InstanceAccessor<&NativeDevice::memoryLimit, &NativeDevice::setMemoryLimit>("memoryLimit", napi_enumerable),
                         InstanceMethod<&NativeDevice::allocate>("allocate"),
                         InstanceMethod<&NativeDevice::release>("release"),
                         InstanceMethod<&NativeDevice::memory>("memory"),
                         InstanceMethod<&NativeDevice::trim>("trim"),
                         InstanceMethod<&NativeDevice::loadLibrary>("loadLibrary"),
                         InstanceMethod<&NativeDevice::kernel>("kernel"),
                         InstanceMethod<&NativeDevice::launch>("launch"),
                         InstanceMethod<&NativeDevice::write>("write"),
                         InstanceMethod<&NativeDevice::copy>("copy"),
                         InstanceMethod<&NativeDevice::fill>("fill"),
                         InstanceMethod<&NativeDevice::read>("read"),
                         InstanceMethod<&NativeDevice::readSync>("readSync"),
                         InstanceMethod<&NativeDevice::synchronize>("synchronize"),
                         InstanceMethod<&NativeDevice::synchronizeSync>("synchronizeSync"),
                         InstanceMethod<&NativeDevice::injectFault>("injectFault"),
                         InstanceMethod<&NativeDevice::counters>("counters"),
                     });
}

NativeDevice::NativeDevice(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<NativeDevice>(info),
      environment_(info.Env().GetInstanceData<Addon>()->environment),
      stream_(environment_->stream()),
      client_(environment_->client()) {}

Napi::Value NativeDevice::threads(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), client_.threads); }

void NativeDevice::setThreads(const Napi::CallbackInfo& info, const Napi::Value& value) {
  guarded(info.Env(), [&] {
    const std::uint64_t threads = wholeArgument(value, "threads", maximumThreads);
    if (threads == 0) throwRange("threads is 0; expected a whole number from 1 to ", maximumThreads);
    client_.threads = static_cast<unsigned>(threads);
  });
}

void NativeDevice::injectFault(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] { client_.injected = std::make_unique<std::string>(textArgument(info[0], "message")); });
}

Napi::Value NativeDevice::counters(const Napi::CallbackInfo& info) {
  const StreamCounters counters = stream_.counters();
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("launches", static_cast<double>(counters.launches));
  result.Set("completed", static_cast<double>(counters.completed));
  result.Set("libraries", static_cast<double>(counters.libraries));
  result.Set("kernels", static_cast<double>(counters.kernels));
  return result;
}

}  // namespace metile
