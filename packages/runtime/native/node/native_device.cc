#include "native_device.h"

#include "arguments.h"
#include "errors.h"

namespace metile {
namespace {

constexpr std::uint64_t maximumThreads = 1024;

Stream& streamArgument(const Napi::CallbackInfo& info) {
  if (info.Length() != 1 || !info[0].IsExternal()) throw Napi::TypeError::New(info.Env(), "devices are opened by openCpu and openMetal");
  return *info[0].As<Napi::External<Stream>>().Data();
}

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
                         InstanceMethod<&NativeDevice::loadSource>("loadSource"),
                         InstanceMethod<&NativeDevice::kernel>("kernel"),
                         InstanceMethod<&NativeDevice::kernelInfo>("kernelInfo"),
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
                         InstanceMethod<&NativeDevice::gpuTime>("gpuTime"),
                     });
}

Napi::Value NativeDevice::open(Napi::Env env, Stream& stream) {
  return env.GetInstanceData<Addon>()->deviceClass.New({Napi::External<Stream>::New(env, &stream)});
}

NativeDevice::NativeDevice(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<NativeDevice>(info),
      environment_(info.Env().GetInstanceData<Addon>()->environment),
      stream_(streamArgument(info)),
      client_(environment_->client(stream_)) {}

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

Napi::Value NativeDevice::gpuTime(const Napi::CallbackInfo& info) {
  const DeviceTimes times = stream_.device().times();
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("seconds", times.seconds);
  result.Set("commandBuffers", static_cast<double>(times.batches));
  return result;
}

}  // namespace metile
