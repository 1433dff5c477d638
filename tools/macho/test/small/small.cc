// A small addon for macOS that uses what meTile's own has no need of, so that the loader is tested for it.
#include <node_api.h>
#include <pthread.h>
#include <stdlib.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int initialized = 0;
struct Initializer {
  Initializer() { initialized = 41; }
} initializer;

thread_local int counter = 5;
thread_local int zeroed;

void* countInThread(void* result) {
  counter += 1;
  zeroed += 3;
  *static_cast<int*>(result) = counter * 10 + zeroed;
  return nullptr;
}

__attribute__((noinline)) void fail(int depth) {
  const std::string text = "depth " + std::to_string(depth);
  if (depth == 3) throw std::out_of_range(text);
  fail(depth + 1);
}

// What holds, word by word.
std::vector<std::string> holds() {
  std::vector<std::string> lines;
  lines.push_back("initialized " + std::to_string(initialized + 1));
  counter = 90;
  int results[2];
  for (int& result : results) {
    pthread_t thread;
    pthread_create(&thread, nullptr, countInThread, &result);
    pthread_join(thread, nullptr);
  }
  lines.push_back("threads " + std::to_string(results[0]) + " " + std::to_string(results[1]) + " " + std::to_string(counter));
  char text[64];
  snprintf(text, sizeof text, "%s %d %.2f %lld %c", "text", -7, 2.5, 1ll << 40, 'x');
  lines.push_back(text);
  try {
    fail(0);
  } catch (const std::logic_error& error) {
    lines.push_back(std::string("caught ") + error.what());
  }
  return lines;
}

napi_value tell(napi_env env, napi_callback_info) {
  std::string all;
  for (const std::string& line : holds()) all += line + "\n";
  napi_value value;
  napi_create_string_utf8(env, all.c_str(), NAPI_AUTO_LENGTH, &value);
  return value;
}

napi_value callUnknown(napi_env, napi_callback_info) {
  static_cast<void>(arc4random());
  return nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  napi_value function;
  napi_create_function(env, "tell", NAPI_AUTO_LENGTH, tell, nullptr, &function);
  napi_set_named_property(env, exports, "tell", function);
  napi_create_function(env, "callUnknown", NAPI_AUTO_LENGTH, callUnknown, nullptr, &function);
  napi_set_named_property(env, exports, "callUnknown", function);
  return exports;
}

extern "C" __attribute__((visibility("default"))) int node_api_module_get_api_version_v1() { return 8; }
