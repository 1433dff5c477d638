// Arguments from JavaScript, checked. Each function throws a type or range failure that names the argument.
#pragma once

#include <napi.h>

#include <cstdint>
#include <string>

#include "../stream/device.h"

namespace metile {

struct Bytes {
  void* data = nullptr;
  std::size_t length = 0;
};

constexpr std::uint64_t largestNumber = (1ull << 53) - 1;

// A whole number from 0 to `most`.
std::uint64_t wholeArgument(const Napi::Value& value, const char* name, std::uint64_t most = largestNumber);
std::uint32_t slotArgument(const Napi::Value& value, const char* name);
bool booleanArgument(const Napi::Value& value, const char* name);
std::string textArgument(const Napi::Value& value, const char* name);

// The bytes of a typed array or DataView; they stay where they are during the call.
Bytes viewArgument(const Napi::Value& value, const char* name);

// The words of a Uint32Array.
Bytes wordsArgument(const Napi::Value& value, const char* name);

// 0, 1 or 2.
Conversion conversionArgument(const Napi::Value& value);

}  // namespace metile
