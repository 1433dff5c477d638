// The stream's storages and their memory.
#include <cstring>

#include "failure.h"
#include "stream.h"

namespace metile {
namespace {

// Zeros for less than this are written at once when the block is idle; more is a command, which may use all threads.
constexpr std::uint64_t smallZero = 64 << 10;

}  // namespace

std::uint32_t Stream::allocate(const Client& client, std::uint64_t bytes, bool zeroed) {
  auto lock = queue_.lockWithRoom();
  Block* block = takeBlock(lock, bytes);
  const std::uint32_t slot = storages_.add(block, bytes, client.id);
  if (slot == 0) {
    device_.give(block, queue_.completed());
    throw Failure(joined("no more than ", storages_.count(), " storages can be alive at a time"),
                  MemoryNumbers{bytes, storages_.live(), device_.memory().cached, device_.memoryLimit()});
  }
  if (zeroed && !block->zero && bytes > 0) zero(lock, storages_.get(slot, client.id), client.threads);
  return slot;
}

void Stream::zero(std::unique_lock<std::mutex>& lock, Storage& storage, unsigned threads) {
  Block* block = storage.block;
  if (block->lastUse <= queue_.completed()) {
    if (device_.discard(block)) return;
    if (storage.bytes <= smallZero && device_.hostVisible()) {
      std::memset(block->data, 0, storage.bytes);
      return;
    }
  }
  TransferCommand& command = transfer(Command::Kind::fill, storage.bytes, threads);
  command.target = &storage;
  command.targetBlock = block;
  use(storage, true);
  publish(lock, false);
}

Block* Stream::takeBlock(std::unique_lock<std::mutex>& lock, std::uint64_t bytes) {
  const auto fits = [&] {
    const std::uint64_t limit = device_.memoryLimit();
    return bytes <= limit && storages_.live() <= limit - bytes;
  };
  if (fits()) {
    if (Block* block = device_.take(bytes, queue_.completed(), false)) return block;
    // Blocks that wait for reuse can only go back to the system once no command uses them.
    const std::uint64_t last = queue_.enqueued();
    lock.unlock();
    queue_.waitFor(last);
    lock = queue_.lockWithRoom();
    device_.trim(queue_.completed());
    if (fits()) {
      if (Block* block = device_.take(bytes, queue_.completed(), false)) return block;
    }
  }
  const MemoryNumbers numbers{bytes, storages_.live(), device_.memory().cached, device_.memoryLimit()};
  const std::uint64_t largest = device_.largestBlock();
  const std::string most = bytes > largest ? joined("; a buffer of this device has at most ", largest, " bytes") : "";
  throw Failure(joined("out of memory: ", bytes, " bytes were asked for with ", numbers.live, " bytes live, ", numbers.cached,
                       " bytes cached and a limit of ", numbers.limit, " bytes", most),
                numbers);
}

std::uint64_t Stream::release(const Client& client, std::uint32_t slot) {
  auto lock = queue_.lock();
  const std::uint64_t bytes = storages_.get(slot, client.id).bytes;
  const std::uint64_t completed = queue_.completed();
  device_.give(storages_.remove(slot, completed), completed);
  return bytes;
}

void Stream::releaseAll(const Client& client) {
  auto lock = queue_.lock();
  const std::uint64_t completed = queue_.completed();
  for (const std::uint32_t slot : storages_.slotsOf(client.id)) device_.give(storages_.remove(slot, completed), completed);
}

StreamMemory Stream::memory() {
  auto lock = queue_.lock();
  StreamMemory memory;
  memory.live = storages_.live();
  memory.cached = device_.memory().cached;
  memory.peak = storages_.peak();
  memory.storages = storages_.count();
  return memory;
}

void Stream::trim() {
  const std::uint64_t last = queue_.enqueued();
  queue_.waitFor(last);
  auto lock = queue_.lock();
  device_.trim(queue_.completed());
}

std::uint64_t Stream::memoryLimit() {
  auto lock = queue_.lock();
  return device_.memoryLimit();
}

void Stream::setMemoryLimit(std::uint64_t bytes) {
  auto lock = queue_.lock();
  device_.setMemoryLimit(bytes);
}

Block* Stream::takeResult(std::uint64_t bytes) {
  auto lock = queue_.lock();
  Block* block = device_.takeResult(bytes, queue_.completed());
  if (block != nullptr) block->zero = false;
  return block;
}

void Stream::giveResult(Block* block) {
  auto lock = queue_.lock();
  device_.giveResult(block, queue_.completed());
}

}  // namespace metile
