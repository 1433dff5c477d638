// Storages of a device: allocation, release, figures.
#include "arguments.h"
#include "native_device.h"

namespace metile {

Napi::Value NativeDevice::allocate(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::uint64_t bytes = wholeArgument(info[0], "bytes");
    const bool zeroed = booleanArgument(info[1], "zeroed");
    const std::uint32_t slot = stream_.allocate(client_, bytes, zeroed);
    environment_->account(info.Env(), static_cast<std::int64_t>(bytes), false);
    return Napi::Number::New(info.Env(), slot);
  });
}

void NativeDevice::release(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    const bool collected = !info[1].IsUndefined() && booleanArgument(info[1], "collected");
    const std::uint64_t bytes = stream_.release(client_, slotArgument(info[0], "slot"));
    environment_->account(info.Env(), -static_cast<std::int64_t>(bytes), collected);
  });
}

Napi::Value NativeDevice::memory(const Napi::CallbackInfo& info) {
  const StreamMemory memory = stream_.memory();
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("live", static_cast<double>(memory.live));
  result.Set("cached", static_cast<double>(memory.cached));
  result.Set("peak", static_cast<double>(memory.peak));
  result.Set("storages", static_cast<double>(memory.storages));
  return result;
}

void NativeDevice::trim(const Napi::CallbackInfo&) { stream_.trim(); }

Napi::Value NativeDevice::memoryLimit(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(stream_.memoryLimit()));
}

void NativeDevice::setMemoryLimit(const Napi::CallbackInfo& info, const Napi::Value& value) {
  guarded(info.Env(), [&] { stream_.setMemoryLimit(wholeArgument(value, "memoryLimit")); });
}

}  // namespace metile
