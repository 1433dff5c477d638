// The library is an addon for Node as well: a test loads the very file that the host loads, and reaches its counters.
// Node's functions are weak: other programs have none.

#include <cstddef>

#include "runtime/types.h"

using Environment = void*;
using Value = void*;
using Arguments = void*;
using Callback = Value (*)(Environment, Arguments);

#define FROM_NODE extern "C" __attribute__((weak))
FROM_NODE int napi_create_function(Environment, const char*, std::size_t, Callback, void*, Value*);
FROM_NODE int napi_set_named_property(Environment, Value, const char*, Value);
FROM_NODE int napi_create_string_utf8(Environment, const char*, std::size_t, Value*);
FROM_NODE int napi_get_cb_info(Environment, Arguments, std::size_t*, Value*, Value*, void**);
FROM_NODE int napi_get_value_int64(Environment, Value, std::int64_t*);
FROM_NODE int napi_get_value_string_utf8(Environment, Value, char*, std::size_t, std::size_t*);

STANDIN_API std::size_t standin_report(char* text, std::size_t bytes);
STANDIN_API void standin_fail_next(unsigned long code, const char* message);
STANDIN_API void standin_fail_next_allocation(long count);

namespace {

constexpr std::size_t textBytes = 16384;

Value report(Environment environment, Arguments) {
  char text[textBytes];
  standin_report(text, sizeof text);
  Value value = nullptr;
  napi_create_string_utf8(environment, text, static_cast<std::size_t>(-1), &value);
  return value;
}

Value failNext(Environment environment, Arguments arguments) {
  Value values[2] = {};
  std::size_t count = 2;
  std::int64_t code = 0;
  char message[1024] = "";
  napi_get_cb_info(environment, arguments, &count, values, nullptr, nullptr);
  napi_get_value_int64(environment, values[0], &code);
  if (count > 1) napi_get_value_string_utf8(environment, values[1], message, sizeof message, nullptr);
  standin_fail_next(static_cast<unsigned long>(code), message);
  return nullptr;
}

Value failNextAllocation(Environment environment, Arguments arguments) {
  Value value = nullptr;
  std::size_t count = 1;
  std::int64_t failures = 0;
  napi_get_cb_info(environment, arguments, &count, &value, nullptr, nullptr);
  napi_get_value_int64(environment, value, &failures);
  standin_fail_next_allocation(failures);
  return nullptr;
}

void add(Environment environment, Value exports, const char* name, Callback callback) {
  Value function = nullptr;
  napi_create_function(environment, name, static_cast<std::size_t>(-1), callback, nullptr, &function);
  napi_set_named_property(environment, exports, name, function);
}

}  // namespace

STANDIN_API std::int32_t node_api_module_get_api_version_v1() { return 8; }

STANDIN_API Value napi_register_module_v1(Environment environment, Value exports) {
  add(environment, exports, "report", report);
  add(environment, exports, "failNext", failNext);
  add(environment, exports, "failNextAllocation", failNextAllocation);
  return exports;
}
