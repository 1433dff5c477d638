// Work of a device: kernels, launches, transfers towards it.
#include "arguments.h"
#include "native_device.h"

namespace metile {

Napi::Value NativeDevice::loadLibrary(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    return Napi::Number::New(info.Env(), stream_.device().loadLibrary(textArgument(info[0], "path")));
  });
}

Napi::Value NativeDevice::kernel(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] {
    const std::uint32_t library = slotArgument(info[0], "library");
    return Napi::Number::New(info.Env(), stream_.device().kernel(library, textArgument(info[1], "entry")));
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
