// Libraries of kernels for the CPU, and the kernels found in them. Both stay until the process ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace metile {

constexpr std::uint32_t artefactVersion = 2;

// What an entry of a library receives (targets/cpu/metile_launch.h).
struct EntryLaunch {
  void* buffers[31];
  std::uint32_t groups[3];
  std::uint32_t reserved;
};
using Entry = void (*)(const EntryLaunch*, std::uint64_t begin, std::uint64_t end);

// Safe from any thread. Numbers start at 1 and are never reused.
class Libraries {
 public:
  Libraries();

  // Opens a library, once for each path. Throws a library failure with the loader's words, or the versions.
  std::uint32_t load(const std::string& path);

  // Finds an entry, once for each name. Throws a kernel failure.
  std::uint32_t kernel(std::uint32_t library, const std::string& entry);

  std::uint32_t libraryCount() const { return libraryCount_.load(std::memory_order_acquire); }
  std::uint32_t kernelCount() const { return kernelCount_.load(std::memory_order_acquire); }

  // The entry of a kernel that exists. Takes no lock, since a library may be loading meanwhile.
  Entry entry(std::uint32_t kernel) const { return entries_[kernel - 1]; }

 private:
  struct Library {
    std::string path;
    void* handle;
  };
  struct Kernel {
    std::uint32_t library;
    std::string name;
  };

  std::mutex mutex_;
  std::vector<Library> libraries_;
  std::vector<Kernel> kernels_;
  std::unique_ptr<Entry[]> entries_;  // an entry is written before its number is given out, and never moves
  std::atomic<std::uint32_t> libraryCount_{0};
  std::atomic<std::uint32_t> kernelCount_{0};
};

}  // namespace metile
