#include "driver.h"

#include <dlfcn.h>

#include "library.h"

namespace metile::cuda {

Driver driver;

namespace {

std::string open() {
#if defined(__APPLE__)
  return "NVIDIA has no driver for macOS";
#else
  const Opened opened = openLibrary(
      "METILE_CUDA_DRIVER", {"libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
                             "/usr/lib64/libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"});
  if (opened.handle == nullptr) return "there is no NVIDIA driver: " + opened.search();
  driver.path = opened.path;
  std::string missing;
#define METILE_FIND(name, symbol, prototype)                                                        \
  driver.name = reinterpret_cast<Call<prototype>::Pointer>(dlsym(opened.handle, symbol));           \
  if (driver.name == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(symbol);
  METILE_CUDA_CALLS(METILE_FIND)
#undef METILE_FIND
  if (!missing.empty()) return "the NVIDIA driver " + opened.path + " is too old; it lacks " + missing;
  const Result result = driver.init(0);
  if (result != success) return "the NVIDIA driver " + opened.path + " does not start: " + describe(result);
  driver.driverVersion(&driver.version);
  return {};
#endif
}

}  // namespace

const std::string& loadDriver() {
  static const std::string* reason = new std::string(open());
  return *reason;
}

std::string describe(Result result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.errorName != nullptr) driver.errorName(result, &name);
  if (driver.errorString != nullptr) driver.errorString(result, &text);
  std::string words = name != nullptr ? name : "CUDA error " + std::to_string(result);
  if (text != nullptr) words += std::string(": ") + text;
  return words;
}

}  // namespace metile::cuda
