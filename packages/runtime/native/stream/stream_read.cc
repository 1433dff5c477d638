// Reading storages back to the host.
#include <utility>

#include "failure.h"
#include "stream.h"

namespace metile {
namespace {

// From here on a read is a command, which may use all threads; less is moved by the thread that asks.
constexpr std::uint64_t largeRead = 2 << 20;

}  // namespace

std::uint64_t Stream::resultBytes(std::uint64_t bytes, Conversion conversion) {
  return conversion == Conversion::none ? bytes : bytes * 2;
}

void Stream::checkRead(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes,
                       Conversion conversion) {
  auto lock = queue_.lock();
  range(client, slot, offset, bytes, "read");
  if (conversion != Conversion::none && (bytes % 2 != 0 || offset % 2 != 0)) {
    throwRange("read of ", bytes, " bytes at offset ", offset, " does not hold whole elements of 2 bytes");
  }
}

// A storage that nobody wrote to lies in a block that earlier commands may still write to.
std::uint64_t Stream::lastWriteOf(const Storage& storage) {
  return storage.lastWrite != 0 ? storage.lastWrite : storage.block->lastUse;
}

bool Stream::readable(const Client& client, std::uint32_t slot) {
  auto lock = queue_.lock();
  const std::uint64_t last = lastWriteOf(storages_.get(slot, client.id));
  lock.unlock();
  return queue_.catchUp(last);
}

FaultPointer Stream::readNow(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes,
                             Conversion conversion, void* target) {
  auto lock = queue_.lock();
  Storage& storage = storages_.get(slot, client.id);
  std::uint64_t last = lastWriteOf(storage);
  lock.unlock();
  const bool byCommand = bytes >= largeRead && !device_.runsAhead();
  if (byCommand) last = enqueueRead(client, storage, offset, bytes, conversion, target, nullptr);
  queue_.waitFor(last);
  if (storage.fault) return storage.fault;
  if (bytes == 0 || byCommand) return nullptr;
  const FailureText failure = device_.readNow(*storage.block, offset, bytes, conversion, target);
  return failure ? makeFault(0, *failure) : nullptr;
}

void Stream::read(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes,
                  Conversion conversion, void* target, Completion& completion) {
  auto lock = queue_.lock();
  Storage& storage = range(client, slot, offset, bytes, "read");
  lock.unlock();
  enqueueRead(client, storage, offset, bytes, conversion, target, &completion);
}

std::uint64_t Stream::enqueueRead(const Client& client, Storage& storage, std::uint64_t offset, std::uint64_t bytes,
                                  Conversion conversion, void* target, Completion* completion) {
  auto lock = queue_.lockWithRoom();
  // The device goes on while the host reads, and may write to the storage: what is read is set aside in between.
  Block* staging = nullptr;
  if (device_.runsAhead()) {
    staging = device_.take(bytes, queue_.completed(), false);
    if (staging == nullptr) {
      // No memory to set it aside: wait, and read it where it is. For everything, since what is queued may still write to
      // the target, a block that is used again.
      const std::uint64_t last = queue_.enqueued();
      lock.unlock();
      queue_.waitFor(last);
      FaultPointer fault = storage.fault;
      const FailureText failure = fault ? nullptr : device_.readNow(*storage.block, offset, bytes, conversion, target);
      if (failure) fault = makeFault(0, *failure);
      completion->finished(std::move(fault));
      return last;
    }
  }
  TransferCommand& command = transfer(Command::Kind::read, bytes, client.threads);
  if (staging != nullptr) {
    staging->zero = false;
    command.staging = staging;
  }
  command.source = &storage;
  command.sourceBlock = storage.block;
  command.sourceOffset = offset;
  command.conversion = conversion;
  command.host = target;
  queue_.next().completion = completion;
  use(storage, false);
  const std::uint64_t number = queue_.nextNumber();
  if (completion != nullptr) publish(lock, true);
  else queue_.push();  // the caller waits and runs it, if nobody else is at work
  return number;
}

}  // namespace metile
