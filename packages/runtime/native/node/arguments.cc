#include "arguments.h"

#include <cmath>
#include <cstdio>

#include "../stream/failure.h"

namespace metile {
namespace {

[[noreturn]] void wrongType(const Napi::Value& value, const char* name, const char* expected) {
  static const char* const kinds[] = {"undefined", "null", "a boolean", "a number", "a string", "a symbol", "an object",
                                      "a function", "an external", "a bigint"};
  const auto kind = static_cast<std::size_t>(value.Type());
  const char* found = kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : "something else";
  throw Failure(FailureKind::type, joined(name, " is ", found, "; expected ", expected));
}

std::string shown(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

}  // namespace

std::uint64_t wholeArgument(const Napi::Value& value, const char* name, std::uint64_t most) {
  double number;
  if (napi_get_value_double(value.Env(), value, &number) != napi_ok) wrongType(value, name, "a number");
  if (!(number >= 0 && number <= static_cast<double>(most)) || std::floor(number) != number) {
    throwRange(name, " is ", shown(number), "; expected a whole number from 0 to ", most);
  }
  return static_cast<std::uint64_t>(number);
}

std::uint32_t slotArgument(const Napi::Value& value, const char* name) {
  return static_cast<std::uint32_t>(wholeArgument(value, name, UINT32_MAX));
}

bool booleanArgument(const Napi::Value& value, const char* name) {
  if (!value.IsBoolean()) wrongType(value, name, "a boolean");
  return value.As<Napi::Boolean>().Value();
}

std::string textArgument(const Napi::Value& value, const char* name) {
  if (!value.IsString()) wrongType(value, name, "a string");
  return value.As<Napi::String>().Utf8Value();
}

Bytes viewArgument(const Napi::Value& value, const char* name) {
  Bytes bytes;
  napi_typedarray_type type;
  std::size_t length = 0;
  if (napi_get_typedarray_info(value.Env(), value, &type, &length, &bytes.data, nullptr, nullptr) == napi_ok) {
    static const std::size_t widths[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8};
    if (static_cast<std::size_t>(type) < sizeof widths / sizeof widths[0]) {
      bytes.length = length * widths[type];
      return bytes;
    }
  } else if (napi_get_dataview_info(value.Env(), value, &bytes.length, &bytes.data, nullptr, nullptr) == napi_ok) {
    return bytes;
  }
  wrongType(value, name, "a typed array or DataView");
}

Bytes wordsArgument(const Napi::Value& value, const char* name) {
  Bytes words;
  napi_typedarray_type type;
  if (napi_get_typedarray_info(value.Env(), value, &type, &words.length, &words.data, nullptr, nullptr) != napi_ok ||
      type != napi_uint32_array) {
    wrongType(value, name, "a Uint32Array");
  }
  return words;
}

Conversion conversionArgument(const Napi::Value& value) {
  return static_cast<Conversion>(wholeArgument(value, "convert", 2));
}

}  // namespace metile
