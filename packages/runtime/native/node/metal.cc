// The Metal device: whether there is one, what it says of itself, and its one stream.
#include "../metal/abi.h"
#include "../metal/metal_device.h"
#include "../metal/system.h"
#include "arguments.h"
#include "devices.h"
#include "native_device.h"

namespace metile {
namespace {

Napi::Object factsObject(Napi::Env env, const metal::Facts& facts) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("name", facts.name);
  result.Set("architecture", facts.architecture);
  result.Set("systemVersion", facts.systemVersion);
  result.Set("languageVersion", facts.languageVersion());
  result.Set("appleFamily", facts.appleFamily);
  result.Set("metal3", facts.metal3);
  result.Set("unifiedMemory", facts.unifiedMemory);
  result.Set("lowPower", facts.lowPower);
  result.Set("standin", facts.standin);
  result.Set("maxBufferBytes", static_cast<double>(facts.maximumBufferBytes));
  result.Set("recommendedBytes", static_cast<double>(facts.recommendedBytes));
  result.Set("maxThreads", facts.maximumThreads);
  result.Set("threadgroupBytes", facts.threadgroupBytes);
  return result;
}

}  // namespace

Napi::Value metalAvailability(const Napi::CallbackInfo& info) {
  const metal::Availability& availability = metal::availability();
  Napi::Object result =
      availability.available ? factsObject(info.Env(), availability.facts) : Napi::Object::New(info.Env());
  result.Set("available", availability.available);
  if (!availability.available) result.Set("reason", availability.reason);
  // A compile decides, so that it is known once the device is open.
  if (metal::openDevice() != nullptr) result.Set("bfloat", metal::openDevice()->facts().bfloat);
  return result;
}

Napi::Value openMetal(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    return NativeDevice::open(info.Env(), metal::stream(textArgument(info[0], "transfers")));
  });
}

Napi::Value metalAbi(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return guarded(env, [&]() -> Napi::Value {
    if (metal::openDevice() == nullptr) throw Failure(FailureKind::device, "the Metal device is not open");
    const metal::AbiReport report = metal::openDevice()->checkAbi();
    Napi::Array differences = Napi::Array::New(env, report.differences.size());
    for (std::size_t index = 0; index < report.differences.size(); index++) {
      const metal::AbiDifference& difference = report.differences[index];
      Napi::Object item = Napi::Object::New(env);
      item.Set("receiver", difference.receiver);
      item.Set("selector", difference.selector);
      item.Set("ours", difference.ours);
      item.Set("theirs", difference.theirs);
      differences.Set(static_cast<std::uint32_t>(index), item);
    }
    Napi::Array unreached = Napi::Array::New(env, report.unreached.size());
    for (std::size_t index = 0; index < report.unreached.size(); index++) {
      unreached.Set(static_cast<std::uint32_t>(index), report.unreached[index]);
    }
    Napi::Object result = Napi::Object::New(env);
    result.Set("checked", report.checked);
    result.Set("differences", differences);
    result.Set("unreached", unreached);
    return result;
  });
}

}  // namespace metile
