// The CPU as a device: kernels from libraries, run by the executing thread and a pool.
#pragma once

#include "../memory/arena.h"
#include "../stream/device.h"
#include "libraries.h"
#include "system_pages.h"
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
  std::uint32_t kernel(const KernelRequest& request) override { return libraries_.kernel(request.library, request.entry); }
  std::uint32_t libraryCount() const override { return libraries_.libraryCount(); }
  std::uint32_t kernelCount() const override { return libraries_.kernelCount(); }

  Ticket launch(const Launch& launch, Status& status) noexcept override;
  Ticket copy(const Block& from, std::uint64_t fromOffset, const Block& to, std::uint64_t toOffset, std::uint64_t bytes,
              unsigned threads) noexcept override;
  Ticket fill(const Block& block, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern, unsigned threads) noexcept override;
  void read(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion, void* target,
            unsigned threads) noexcept override;

  FailureText writeNow(const Block& block, std::uint64_t offset, const void* source, std::uint64_t bytes) noexcept override;
  FailureText readNow(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion, void* target) noexcept override;

 private:
  SystemPages pages_;
  Arena arena_;
  Libraries libraries_;
  ThreadPool pool_;
};

}  // namespace metile
