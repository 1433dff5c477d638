// An NVIDIA GPU as a device of the stream.
#pragma once

#include "../cpu/system_pages.h"
#include "../memory/arena.h"
#include "../stream/device.h"
#include "device_pages.h"
#include "facts.h"
#include "kernels.h"
#include "staging.h"
#include "work.h"

namespace metile::cuda {

class CudaDevice final : public Device {
 public:
  // Throws a device failure when the driver gives no context.
  explicit CudaDevice(const Facts& facts);

  const Facts& facts() const { return facts_; }
  std::uint64_t compiledKernels() const { return kernels_.compiled(); }

  Block* take(std::uint64_t bytes, std::uint64_t completed, bool idle) override { return arena_.take(bytes, completed, idle); }
  void give(Block* block, std::uint64_t completed) override { arena_.give(block, completed); }
  void trim(std::uint64_t completed) override;
  Block* takeResult(std::uint64_t bytes, std::uint64_t completed) override { return results_.take(bytes, completed, false); }
  void giveResult(Block* block, std::uint64_t completed) override { results_.give(block, completed); }
  bool hostVisible() const override { return false; }
  bool discard(Block*) override { return false; }
  MemoryFigures memory() const override { return {arena_.used(), arena_.cached()}; }
  std::uint64_t memoryLimit() const override { return arena_.limit(); }
  void setMemoryLimit(std::uint64_t bytes) override { arena_.setLimit(bytes); }
  std::uint64_t largestBlock() const override { return arena_.largestWithin(facts_.memoryBytes); }

  std::uint32_t loadSource(const std::string& text, const std::string& name) override { return kernels_.load(text, name); }
  std::uint32_t kernel(const KernelRequest& request) override;
  KernelInformation kernelInformation(std::uint32_t kernel) const override { return kernels_.at(kernel).information; }
  std::uint32_t libraryCount() const override { return kernels_.sourceCount(); }
  std::uint32_t kernelCount() const override { return kernels_.kernelCount(); }

  void check(const Launch& launch) const override;
  Ticket launch(const Launch& launch, Status& status) noexcept override;
  Ticket copy(const Block& from, std::uint64_t fromOffset, const Block& to, std::uint64_t toOffset, std::uint64_t bytes,
              unsigned threads) noexcept override;
  Ticket fill(const Block& block, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern, unsigned threads) noexcept override;

  bool runsAhead() const override { return true; }
  bool hasRoom() const noexcept override { return work_.hasRoom(); }
  void submit(bool) noexcept override { work_.submit(); }
  Ticket finished() const noexcept override { return work_.finished(); }
  void await(Ticket ticket) noexcept override { work_.await(ticket); }
  FailureText failure(Ticket ticket) noexcept override { return work_.failure(ticket); }
  void collect(const Launch& launch, Status& status) noexcept override;
  void onProgress(void (*function)(void*), void* context) noexcept override { work_.onProgress(function, context); }
  DeviceTimes times() const override { return work_.times(); }

  FailureText writeNow(const Block& block, std::uint64_t offset, const void* source, std::uint64_t bytes) noexcept override;
  FailureText readNow(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion, void* target) noexcept override;

 private:
  Context open() const;
  Status* makeStatus() const;
  void current() const { driver.contextSet(context_); }

  Facts facts_;
  Context context_;
  DevicePages pages_;
  Arena arena_;
  SystemPages hostPages_;
  Arena results_;  // host memory that results of reads lie in
  Kernels kernels_;
  Staging staging_;
  Status* status_;      // words of the commands in flight, in memory that both sides see
  mutable Work work_;  // last, since its thread would outlive what fails after it
};

}  // namespace metile::cuda
