#include "errors.h"

#include <string>

namespace metile {
namespace {

bool makeString(napi_env env, const std::string& text, napi_value* value) {
  return napi_create_string_utf8(env, text.data(), text.size(), value) == napi_ok;
}

bool setNumber(napi_env env, napi_value object, const char* name, double number) {
  napi_value value;
  return napi_create_double(env, number, &value) == napi_ok && napi_set_named_property(env, object, name, value) == napi_ok;
}

bool makeError(napi_env env, const char* code, const std::string& message, napi_value* error) {
  napi_value text;
  napi_value codeText;
  return makeString(env, message, &text) && makeString(env, code, &codeText) &&
         napi_create_error(env, codeText, text, error) == napi_ok;
}

bool setMemoryNumbers(napi_env env, const MemoryNumbers& numbers, napi_value error) {
  return setNumber(env, error, "requested", static_cast<double>(numbers.requested)) &&
         setNumber(env, error, "live", static_cast<double>(numbers.live)) &&
         setNumber(env, error, "cached", static_cast<double>(numbers.cached)) &&
         setNumber(env, error, "limit", static_cast<double>(numbers.limit));
}

bool setStatus(napi_env env, const Status& status, napi_value error) {
  napi_value array;
  if (napi_create_array_with_length(env, 4, &array) != napi_ok) return false;
  for (std::uint32_t word = 0; word < 4; word++) {
    napi_value value;
    if (napi_create_uint32(env, status.words[word], &value) != napi_ok) return false;
    if (napi_set_element(env, array, word, value) != napi_ok) return false;
  }
  return napi_set_named_property(env, error, "status", array) == napi_ok;
}

}  // namespace

bool makeFaultError(napi_env env, const Fault& fault, napi_value* error) noexcept {
  return makeError(env, "METILE_FAULT", fault.message, error) && setNumber(env, *error, "operation", fault.operation) &&
         (!fault.hasStatus || setStatus(env, fault.status, *error));
}

bool makeFailureError(napi_env env, const Failure& failure, napi_value* error) noexcept {
  napi_value text;
  switch (failure.kind()) {
    case FailureKind::type:
      return makeString(env, failure.message(), &text) && napi_create_type_error(env, nullptr, text, error) == napi_ok;
    case FailureKind::range:
      return makeString(env, failure.message(), &text) && napi_create_range_error(env, nullptr, text, error) == napi_ok;
    case FailureKind::memory:
      return makeError(env, "METILE_MEMORY", failure.message(), error) && setMemoryNumbers(env, failure.numbers(), *error);
    case FailureKind::library:
      return makeError(env, "METILE_LIBRARY", failure.message(), error);
    case FailureKind::kernel:
      return makeError(env, "METILE_KERNEL", failure.message(), error);
    case FailureKind::device:
      return makeError(env, "METILE_DEVICE", failure.message(), error);
  }
  return false;
}

}  // namespace metile
