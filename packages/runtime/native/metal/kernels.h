// Kernels of a Metal device: texts, the libraries that the system's compiler makes of them with macros, and pipelines.
// All of them stay until the process ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../objc/ownership.h"
#include "../stream/device.h"
#include "facts.h"

namespace metile::metal {

struct Pipeline {
  objc::id state = nullptr;
  std::uint32_t threads = 0;  // that it is compiled for
  KernelInformation information;
};

// Safe from any thread. Numbers start at 1 and are never reused.
class Kernels {
 public:
  Kernels(objc::id device, const Facts& facts);

  // Remembers a text, once for each.
  std::uint32_t load(const std::string& text, const std::string& name);

  // The kernel of a request, compiled at its first call. Throws a kernel failure with the compiler's words.
  std::uint32_t kernel(const KernelRequest& request);

  std::uint32_t sourceCount() const { return sourceCount_.load(std::memory_order_acquire); }
  std::uint32_t kernelCount() const { return kernelCount_.load(std::memory_order_acquire); }

  // A kernel that exists. Takes no lock, since another may be compiling.
  const Pipeline& pipeline(std::uint32_t kernel) const { return pipelines_[kernel - 1]; }

  // Whether a kernel with bfloat compiles.
  bool probeBfloat();

 private:
  struct Source {
    std::string text;
    std::string name;
  };

  objc::Reference compile(const Source& source, const KernelRequest& request, std::string& error) const;
  objc::id library(const KernelRequest& request);
  objc::Reference makePipeline(objc::id library, const KernelRequest& request) const;
  std::uint32_t add(objc::id state, const KernelRequest& request);

  objc::id device_;
  Facts facts_;
  std::mutex mutex_;
  std::vector<Source> sources_;
  std::map<std::string, objc::Reference> libraries_;
  std::map<std::string, std::uint32_t> numbers_;
  std::unique_ptr<Pipeline[]> pipelines_;  // one is written before its number is given out, and never moves
  std::atomic<std::uint32_t> sourceCount_{0};
  std::atomic<std::uint32_t> kernelCount_{0};
};

}  // namespace metile::metal
