// Kernels of an NVIDIA device: texts in CUDA C++, the modules that NVRTC makes of them with macros, and their functions.
// All of them stay until the process ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../stream/device.h"
#include "cubin_cache.h"
#include "driver.h"

namespace metile::cuda {

struct Kernel {
  Function function = nullptr;
  std::uint32_t threads = 0;            // that it is compiled for
  KernelInformation information;
  std::atomic<std::uint32_t> shared{0};  // dynamic shared memory that it was allowed so far
};

// Safe from any thread. Numbers start at 1 and are never reused. The device's context has to be current.
class Kernels {
 public:
  // architecture: 90 for sm_90. sharedBytes: of a threadgroup at most.
  Kernels(unsigned architecture, std::uint32_t sharedBytes);

  std::uint32_t load(const std::string& text, const std::string& name);

  // Compiled at its first call, or found on disk. Throws a kernel failure with the compiler's words.
  std::uint32_t kernel(const KernelRequest& request);

  std::uint32_t sourceCount() const { return sourceCount_.load(std::memory_order_acquire); }
  std::uint32_t kernelCount() const { return kernelCount_.load(std::memory_order_acquire); }
  Kernel& at(std::uint32_t kernel) const { return kernels_[kernel - 1]; }

  // Kernels that NVRTC compiled in this process; those found on disk are not counted.
  std::uint64_t compiled() const { return compiled_.load(std::memory_order_relaxed); }

 private:
  struct Source {
    std::string text;
    std::string name;
  };

  std::vector<std::string> optionsOf(const KernelRequest& request) const;
  Module module(const KernelRequest& request);
  std::string cubinOf(const Source& source, const std::vector<std::string>& options);
  std::uint32_t add(Function function, const KernelRequest& request);

  unsigned architecture_;
  std::uint32_t sharedBytes_;
  CubinCache cache_;
  std::mutex mutex_;
  std::vector<Source> sources_;
  std::map<std::string, Module> modules_;
  std::map<std::string, std::uint32_t> numbers_;
  std::unique_ptr<Kernel[]> kernels_;  // one is written before its number is given out, and never moves
  std::atomic<std::uint32_t> sourceCount_{0};
  std::atomic<std::uint32_t> kernelCount_{0};
  std::atomic<std::uint64_t> compiled_{0};
};

}  // namespace metile::cuda
