// The JavaScript class of a device: one environment's view of it.
#pragma once

#include <napi.h>

#include <memory>

#include <new>

#include "../stream/failure.h"
#include "environment.h"

namespace metile {

class NativeDevice final : public Napi::ObjectWrap<NativeDevice> {
 public:
  static Napi::Function define(Napi::Env env);
  static Napi::Value open(Napi::Env env, Stream& stream);

  // `new` with the stream as an external value: open() alone has one.
  explicit NativeDevice(const Napi::CallbackInfo& info);

 private:
  // native_device.cc
  Napi::Value threads(const Napi::CallbackInfo& info);
  void setThreads(const Napi::CallbackInfo& info, const Napi::Value& value);
  Napi::Value counters(const Napi::CallbackInfo& info);
  Napi::Value gpuTime(const Napi::CallbackInfo& info);
  void injectFault(const Napi::CallbackInfo& info);

  // device_memory.cc
  Napi::Value memoryLimit(const Napi::CallbackInfo& info);
  void setMemoryLimit(const Napi::CallbackInfo& info, const Napi::Value& value);
  Napi::Value allocate(const Napi::CallbackInfo& info);
  void release(const Napi::CallbackInfo& info);
  Napi::Value memory(const Napi::CallbackInfo& info);
  void trim(const Napi::CallbackInfo& info);

  // device_work.cc
  Napi::Value loadLibrary(const Napi::CallbackInfo& info);
  Napi::Value loadSource(const Napi::CallbackInfo& info);
  Napi::Value kernel(const Napi::CallbackInfo& info);
  Napi::Value kernelInfo(const Napi::CallbackInfo& info);
  void launch(const Napi::CallbackInfo& info);
  void write(const Napi::CallbackInfo& info);
  void copy(const Napi::CallbackInfo& info);
  void fill(const Napi::CallbackInfo& info);

  // device_read.cc
  Napi::Value read(const Napi::CallbackInfo& info);
  void readSync(const Napi::CallbackInfo& info);
  Napi::Value synchronize(const Napi::CallbackInfo& info);
  void synchronizeSync(const Napi::CallbackInfo& info);

  std::shared_ptr<Environment> environment_;
  Stream& stream_;
  Client& client_;
};

// What the addon keeps with the environment on the JavaScript side.
struct Addon {
  Napi::FunctionReference deviceClass;
  std::shared_ptr<Environment> environment;
};

// Runs `body`, with its failures thrown as JavaScript errors.
template <typename Body>
auto guarded(Napi::Env env, const Body& body) -> decltype(body());

[[noreturn]] void throwFailure(Napi::Env env, const Failure& failure);

template <typename Body>
auto guarded(Napi::Env env, const Body& body) -> decltype(body()) {
  try {
    return body();
  } catch (const Failure& failure) {
    throwFailure(env, failure);
  } catch (const std::bad_alloc&) {
    throwFailure(env, Failure("out of memory for the addon's own records", MemoryNumbers{}));
  }
}

}  // namespace metile
