// Work of a device: kernels, launches, transfers towards it.
#include "arguments.h"
#include "native_device.h"

namespace metile {
namespace {

MathMode mathModeOf(const std::string& name) {
  if (name == "safe") return MathMode::safe;
  if (name == "relaxed") return MathMode::relaxed;
  if (name == "fast") return MathMode::fast;
  throwRange("mathMode is ", name, "; expected safe, relaxed or fast");
}

// { macros: [name, value, …], threads, mathMode }
void readVariant(const Napi::Value& value, KernelRequest& request) {
  if (!value.IsObject()) throw Failure(FailureKind::type, "variant is no object");
  const Napi::Object variant = value.As<Napi::Object>();
  const Napi::Value macros = variant.Get("macros");
  if (!macros.IsArray()) throw Failure(FailureKind::type, "macros is no array");
  const Napi::Array words = macros.As<Napi::Array>();
  for (std::uint32_t index = 0; index + 1 < words.Length(); index += 2) {
    std::string name = textArgument(words.Get(index), "a macro's name");
    request.macros.emplace_back(std::move(name), textArgument(words.Get(index + 1), "a macro's value"));
  }
  request.groupThreads = slotArgument(variant.Get("threads"), "threads");
  request.mathMode = mathModeOf(textArgument(variant.Get("mathMode"), "mathMode"));
}

}  // namespace

Napi::Value NativeDevice::loadLibrary(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    return Napi::Number::New(info.Env(), stream_.device().loadLibrary(textArgument(info[0], "path")));
  });
}

Napi::Value NativeDevice::loadSource(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::string text = textArgument(info[0], "text");
    return Napi::Number::New(info.Env(), stream_.device().loadSource(text, textArgument(info[1], "fileName")));
  });
}

Napi::Value NativeDevice::kernel(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    KernelRequest request;
    request.library = slotArgument(info[0], "library");
    request.entry = textArgument(info[1], "entry");
    if (!info[2].IsUndefined()) readVariant(info[2], request);
    return Napi::Number::New(info.Env(), stream_.device().kernel(request));
  });
}

Napi::Value NativeDevice::kernelInfo(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::uint32_t kernel = slotArgument(info[0], "kernel");
    const std::uint32_t count = stream_.device().kernelCount();
    if (kernel == 0 || kernel > count) throwRange("kernel ", kernel, " does not exist; there are ", count);
    const KernelInformation information = stream_.device().kernelInformation(kernel);
    Napi::Object result = Napi::Object::New(info.Env());
    result.Set("maxThreads", information.maximumThreads);
    result.Set("executionWidth", information.executionWidth);
    result.Set("staticThreadgroupBytes", information.staticThreadgroupBytes);
    result.Set("registers", information.registers);
    result.Set("spilledBytes", information.spilledBytes);
    return result;
  });
}

void NativeDevice::launch(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    const Bytes words = wordsArgument(info[0], "words");
    const std::uint64_t count = wholeArgument(info[1], "count", words.length);
    stream_.launch(client_, static_cast<const std::uint32_t*>(words.data), count);
  });
}

void NativeDevice::write(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    const std::uint32_t slot = slotArgument(info[0], "slot");
    const std::uint64_t offset = wholeArgument(info[1], "byteOffset");
    const Bytes source = viewArgument(info[2], "source");
    stream_.write(client_, slot, offset, source.data, source.length);
  });
}

void NativeDevice::copy(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    stream_.copy(client_, slotArgument(info[0], "from"), wholeArgument(info[1], "fromOffset"), slotArgument(info[2], "to"),
                 wholeArgument(info[3], "toOffset"), wholeArgument(info[4], "bytes"));
  });
}

void NativeDevice::fill(const Napi::CallbackInfo& info) {
  guarded(info.Env(), [&] {
    stream_.fill(client_, slotArgument(info[0], "slot"), wholeArgument(info[1], "byteOffset"), wholeArgument(info[2], "bytes"),
                 static_cast<std::uint8_t>(wholeArgument(info[3], "pattern", 255)));
  });
}

}  // namespace metile
