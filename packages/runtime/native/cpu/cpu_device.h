// The CPU as a device: kernels from libraries, run by the executing thread and a pool.
#pragma once

#include "../stream/device.h"
#include "arena.h"
#include "libraries.h"
#include "thread_pool.h"

namespace metile {

class CpuDevice final : public Device {
 public:
  CpuDevice();

  Block* take(std::uint64_t bytes, std::uint64_t completed, bool idle) override { return arena_.take(bytes, completed, idle); }
  void give(Block* block, std::uint64_t completed) override { arena_.give(block, completed); }
  void trim(std::uint64_t completed) override { arena_.trim(completed); }
  bool discard(Block* block) override { return arena_.discard(block); }
  MemoryFigures memory() const override { return {arena_.used(), arena_.cached()}; }
  std::uint64_t memoryLimit() const override { return arena_.limit(); }
  void setMemoryLimit(std::uint64_t bytes) override { arena_.setLimit(bytes); }

  std::uint32_t loadLibrary(const std::string& path) override { return libraries_.load(path); }
  std::uint32_t kernel(std::uint32_t library, const std::string& entry) override { return libraries_.kernel(library, entry); }
  std::uint32_t libraryCount() const override { return libraries_.libraryCount(); }
  std::uint32_t kernelCount() const override { return libraries_.kernelCount(); }

  void launch(const Launch& launch, Status& status) noexcept override;
  void copy(const Block& from, std::uint64_t fromOffset, const Block& to, std::uint64_t toOffset, std::uint64_t bytes,
            unsigned threads) noexcept override;
  void fill(const Block& block, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern, unsigned threads) noexcept override;
  void read(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion, void* target,
            unsigned threads) noexcept override;
  void synchronize() noexcept override {}

  void writeNow(const Block& block, std::uint64_t offset, const void* source, std::uint64_t bytes) noexcept override;
  void readNow(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion, void* target) noexcept override;

 private:
  Arena arena_;
  Libraries libraries_;
  ThreadPool pool_;
};

}  // namespace metile
