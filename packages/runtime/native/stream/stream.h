// The stream: storages and work of all environments on one device, in one order.
//
// Every call is safe from any thread as long as a client is used by one thread at a time. Failures are thrown before
// anything has changed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "command_queue.h"
#include "device.h"
#include "storage.h"

namespace metile {

struct StreamMemory {
  std::uint64_t live = 0;    // bytes asked for by the storages that live
  std::uint64_t cached = 0;  // bytes of blocks kept for reuse
  std::uint64_t peak = 0;    // highest `live` so far
  std::uint64_t storages = 0;
};

struct StreamCounters {
  std::uint64_t launches = 0;   // enqueued
  std::uint64_t completed = 0;  // of them: executed, skipped or failed
  std::uint32_t libraries = 0;
  std::uint32_t kernels = 0;
};

class Stream final : private CommandQueue::Runner {
 public:
  explicit Stream(Device& device);

  Device& device() { return device_; }
  Client makeClient(unsigned threads);

  // Storages. Sizes are those asked for; a storage of no bytes is one too.
  std::uint32_t allocate(const Client& client, std::uint64_t bytes, bool zeroed);
  std::uint64_t release(const Client& client, std::uint32_t slot);  // gives its bytes
  void releaseAll(const Client& client);
  StreamMemory memory();
  void trim();
  std::uint64_t memoryLimit();
  void setMemoryLimit(std::uint64_t bytes);

  // Work. Returns once it is enqueued.
  void launch(Client& client, const std::uint32_t* words, std::size_t count);
  void write(const Client& client, std::uint32_t slot, std::uint64_t offset, const void* source, std::uint64_t bytes);
  void copy(const Client& client, std::uint32_t from, std::uint64_t fromOffset, std::uint32_t to, std::uint64_t toOffset,
            std::uint64_t bytes);
  void fill(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern);

  // Reading. `bytes` counts the storage's bytes; `resultBytes` says how many the conversion makes of them.
  static std::uint64_t resultBytes(std::uint64_t bytes, Conversion conversion);
  void checkRead(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes, Conversion conversion);
  // Whether everything that writes to the storage has run, perhaps by running it now because it is little.
  bool readable(const Client& client, std::uint32_t slot);
  // Waits for what writes to the storage, then fills `target`; or gives the storage's fault and leaves `target` alone.
  FaultPointer readNow(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes,
                       Conversion conversion, void* target);
  // Enqueues a read into `target`, which has to live until the completion is told.
  void read(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes, Conversion conversion,
            void* target, Completion& completion);

  // Waiting for everything so far.
  bool idle();
  void synchronize();
  void notify(Completion& completion);

  // Memory for results, outside of any storage; null when there is none. Stays until it is given back.
  Block* takeResult(std::uint64_t bytes);
  void giveResult(Block* block);

  StreamCounters counters();

 private:
  FaultPointer run(Command& command) noexcept override;
  void issue(Command& command) noexcept override;
  FaultPointer conclude(Command& command) noexcept override;

  FaultPointer runLaunch(LaunchCommand& command);
  void runTransfer(Command& command);
  FaultPointer concludeRead(Command& command, FaultPointer fault);

  Block* takeBlock(std::unique_lock<std::mutex>& lock, std::uint64_t bytes);
  void zero(std::unique_lock<std::mutex>& lock, Storage& storage, unsigned threads);
  void writeIdle(std::unique_lock<std::mutex>& lock, Storage& storage, std::uint64_t offset, const void* source,
                 std::uint64_t bytes);
  void copyOverlapping(const Client& client, Storage& storage, std::uint64_t from, std::uint64_t to, std::uint64_t bytes);
  void writeStaged(Storage& storage, Block* staging, std::uint64_t offset, std::uint64_t bytes, unsigned threads);
  TransferCommand& transfer(Command::Kind kind, std::uint64_t bytes, unsigned threads);
  static std::uint64_t lastWriteOf(const Storage& storage);
  std::uint64_t enqueueRead(const Client& client, Storage& storage, std::uint64_t offset, std::uint64_t bytes,
                            Conversion conversion, void* target, Completion* completion);
  Storage& range(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes, const char* what);
  void use(Storage& storage, bool written);
  void publish(std::unique_lock<std::mutex>& lock, bool now);

  Device& device_;
  CommandQueue queue_;
  StorageTable storages_;
  std::uint32_t clients_ = 0;
  std::uint64_t launches_ = 0;
  std::atomic<std::uint64_t> launchesCompleted_{0};
};

}  // namespace metile
