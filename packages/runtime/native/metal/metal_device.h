// A Metal GPU as a device of the stream.
#pragma once

#include "../memory/arena.h"
#include "../stream/device.h"
#include "abi.h"
#include "batches.h"
#include "buffer_pages.h"
#include "facts.h"
#include "kernels.h"

namespace metile::metal {

class MetalDevice final : public Device {
 public:
  // Compiles what copies and fills need from `transfers`; throws a kernel failure when that fails.
  MetalDevice(objc::Reference device, Facts facts, const std::string& transfers);

  const Facts& facts() const { return facts_; }
  AbiReport checkAbi() const { return metal::checkAbi(device_.get(), facts_); }

  Block* take(std::uint64_t bytes, std::uint64_t completed, bool idle) override { return arena_.take(bytes, completed, idle); }
  void give(Block* block, std::uint64_t completed) override { arena_.give(block, completed); }
  void trim(std::uint64_t completed) override { arena_.trim(completed); }
  bool discard(Block*) override { return false; }
  MemoryFigures memory() const override { return {arena_.used(), arena_.cached()}; }
  std::uint64_t memoryLimit() const override { return arena_.limit(); }
  void setMemoryLimit(std::uint64_t bytes) override { arena_.setLimit(bytes); }
  std::uint64_t largestBlock() const override { return arena_.largestWithin(facts_.maximumBufferBytes); }

  std::uint32_t loadSource(const std::string& text, const std::string& name) override { return kernels_.load(text, name); }
  std::uint32_t kernel(const KernelRequest& request) override { return kernels_.kernel(request); }
  KernelInformation kernelInformation(std::uint32_t kernel) const override { return kernels_.pipeline(kernel).information; }
  std::uint32_t libraryCount() const override { return kernels_.sourceCount(); }
  std::uint32_t kernelCount() const override { return kernels_.kernelCount(); }

  void check(const Launch& launch) const override;
  Ticket launch(const Launch& launch, Status& status) noexcept override;
  Ticket copy(const Block& from, std::uint64_t fromOffset, const Block& to, std::uint64_t toOffset, std::uint64_t bytes,
              unsigned threads) noexcept override;
  Ticket fill(const Block& block, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern, unsigned threads) noexcept override;

  bool runsAhead() const override { return true; }
  bool hasRoom() const noexcept override { return batches_.hasRoom(); }
  void submit(bool now) noexcept override { batches_.submit(now); }
  Ticket finished() const noexcept override { return batches_.finished(); }
  void await(Ticket ticket) noexcept override { batches_.await(ticket); }
  FailureText failure(Ticket ticket) noexcept override { return batches_.failure(ticket); }
  void collect(const Launch& launch, Status& status) noexcept override;
  void onProgress(void (*function)(void*), void* context) noexcept override { batches_.onProgress(function, context); }
  DeviceTimes times() const override { return batches_.times(); }

  FailureText writeNow(const Block& block, std::uint64_t offset, const void* source, std::uint64_t bytes) noexcept override;
  FailureText readNow(const Block& block, std::uint64_t offset, std::uint64_t bytes, Conversion conversion, void* target) noexcept override;

 private:
  void bind(objc::id encoder, const Launch& launch);
  void order(const Launch& launch);
  std::uint32_t transferKernel(std::uint32_t library, const char* entry);
  Ticket transfer(const std::uint32_t (&kernels)[3], const LaunchBuffer* buffers, std::size_t count, std::uint64_t bytes,
                  std::uint32_t pattern) noexcept;

  objc::Reference device_;
  Facts facts_;
  BufferPages pages_;
  Arena arena_;
  Kernels kernels_;
  mutable Batches batches_;
  Pages own_;  // status words of the commands in flight, and what stands in for an absent buffer
  std::uint32_t copies_[3];
  std::uint32_t fills_[3];
};

}  // namespace metile::metal
