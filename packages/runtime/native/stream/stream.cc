#include "stream.h"

#include <algorithm>
#include <utility>

#include "failure.h"
#include "launch_words.h"

namespace metile {

Stream::Stream(Device& device) : device_(device), queue_(*this, device) {}

Client Stream::makeClient(unsigned threads) {
  auto lock = queue_.lock();
  Client client;
  client.id = ++clients_;
  client.threads = threads;
  return client;
}

Storage& Stream::range(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes, const char* what) {
  Storage& storage = storages_.get(slot, client.id);
  if (offset > storage.bytes || bytes > storage.bytes - offset) {
    throwRange(what, " of ", bytes, " bytes at offset ", offset, " is past the end of storage ", slot, " of ", storage.bytes,
               " bytes");
  }
  return storage;
}

// Notes that the command about to be pushed touches the storage.
void Stream::use(Storage& storage, bool written) {
  storage.lastUse = queue_.nextNumber();
  if (!written) return;
  storage.lastWrite = queue_.nextNumber();
  storage.block->zero = false;
}

void Stream::publish(std::unique_lock<std::mutex>& lock, bool now) {
  queue_.push();
  lock.unlock();
  queue_.kick(now);
}

void Stream::launch(Client& client, const std::uint32_t* words, std::size_t count) {
  auto lock = queue_.lockWithRoom();
  Command& command = queue_.next();
  decodeLaunch(words, count, device_.kernelCount(), storages_, client, command);
  device_.check(command.launch.launch);
  LaunchCommand& launch = command.launch;
  launch.launch.slot = static_cast<std::uint32_t>(queue_.nextNumber() % CommandQueue::capacity);
  launch.injected = std::move(client.injected);
  for (std::size_t buffer = 0; buffer < launch.launch.bufferCount; buffer++) {
    use(*launch.bound[buffer].storage, launch.bound[buffer].written);
  }
  launches_ += 1;
  publish(lock, false);
}

TransferCommand& Stream::transfer(Command::Kind kind, std::uint64_t bytes, unsigned threads) {
  Command& command = queue_.next();
  command.kind = kind;
  command.bytes = bytes * 2;
  command.effort = bytes / 4;
  command.transfer = TransferCommand{};
  command.transfer.bytes = bytes;
  command.transfer.threads = threads;
  return command.transfer;
}

void Stream::write(const Client& client, std::uint32_t slot, std::uint64_t offset, const void* source, std::uint64_t bytes) {
  auto lock = queue_.lock();
  Storage& storage = range(client, slot, offset, bytes, "write");
  if (bytes == 0) return;
  const std::uint64_t last = std::max(storage.lastUse, storage.block->lastUse);
  if (last <= queue_.completed()) return writeIdle(lock, storage, offset, source, bytes);
  lock.unlock();
  Block* staging = nullptr;
  if (!queue_.catchUp(last)) {
    lock.lock();
    staging = device_.take(bytes, queue_.completed(), true);
    lock.unlock();
    if (staging == nullptr) queue_.waitFor(last);  // no memory for a copy: wait until the bytes can go straight there
  }
  if (staging == nullptr) {
    lock.lock();
    return writeIdle(lock, storage, offset, source, bytes);
  }
  staging->zero = false;
  if (const FailureText failure = device_.writeNow(*staging, 0, source, bytes)) {
    lock = queue_.lock();
    device_.give(staging, queue_.completed());
    throw Failure(FailureKind::device, *failure);
  }
  writeStaged(storage, staging, offset, bytes, client.threads);
}

void Stream::writeIdle(std::unique_lock<std::mutex>& lock, Storage& storage, std::uint64_t offset, const void* source,
                       std::uint64_t bytes) {
  storage.block->zero = false;
  if (bytes == storage.bytes) storage.fault.reset();
  const Block* block = storage.block;
  lock.unlock();  // nobody else may touch a storage of this client, and no command that is pending does
  const FailureText failure = device_.writeNow(*block, offset, source, bytes);
  if (failure) throw Failure(FailureKind::device, *failure);
}

void Stream::writeStaged(Storage& storage, Block* staging, std::uint64_t offset, std::uint64_t bytes, unsigned threads) {
  auto lock = queue_.lockWithRoom();
  TransferCommand& command = transfer(Command::Kind::copy, bytes, threads);
  command.sourceBlock = staging;
  command.target = &storage;
  command.targetBlock = storage.block;
  command.targetOffset = offset;
  use(storage, true);
  staging->lastUse = queue_.nextNumber();
  device_.give(staging, queue_.completed());
  publish(lock, false);
}

void Stream::copy(const Client& client, std::uint32_t from, std::uint64_t fromOffset, std::uint32_t to,
                  std::uint64_t toOffset, std::uint64_t bytes) {
  auto lock = queue_.lockWithRoom();
  Storage& source = range(client, from, fromOffset, bytes, "copy");
  Storage& target = range(client, to, toOffset, bytes, "copy");
  if (bytes == 0) return;
  const bool overlapping = &source == &target && fromOffset < toOffset + bytes && toOffset < fromOffset + bytes;
  if (overlapping && device_.runsAhead()) {
    lock.unlock();
    return copyOverlapping(client, source, fromOffset, toOffset, bytes);
  }
  TransferCommand& command = transfer(Command::Kind::copy, bytes, client.threads);
  command.source = &source;
  command.sourceBlock = source.block;
  command.sourceOffset = fromOffset;
  command.target = &target;
  command.targetBlock = target.block;
  command.targetOffset = toOffset;
  use(source, false);
  use(target, true);
  publish(lock, false);
}

// The threads of a GPU copy in no order: by way of a block between.
void Stream::copyOverlapping(const Client& client, Storage& storage, std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
  const std::uint32_t between = allocate(client, bytes, false);
  const std::uint32_t slot = storage.slot;
  copy(client, slot, from, between, 0, bytes);
  copy(client, between, 0, slot, to, bytes);
  release(client, between);
}

void Stream::fill(const Client& client, std::uint32_t slot, std::uint64_t offset, std::uint64_t bytes, std::uint8_t pattern) {
  auto lock = queue_.lockWithRoom();
  Storage& storage = range(client, slot, offset, bytes, "fill");
  if (bytes == 0) return;
  TransferCommand& command = transfer(Command::Kind::fill, bytes, client.threads);
  command.target = &storage;
  command.targetBlock = storage.block;
  command.targetOffset = offset;
  command.pattern = pattern;
  use(storage, true);
  publish(lock, false);
}

bool Stream::idle() { return queue_.catchUp(queue_.enqueued()); }

void Stream::synchronize() { queue_.waitFor(queue_.enqueued()); }

void Stream::notify(Completion& completion) {
  auto lock = queue_.lockWithRoom();
  Command& command = queue_.next();
  command.kind = Command::Kind::notify;
  command.bytes = 0;
  command.effort = 0;
  command.completion = &completion;
  publish(lock, true);
}

StreamCounters Stream::counters() {
  StreamCounters counters;
  {
    auto lock = queue_.lock();
    counters.launches = launches_;
  }
  queue_.kick(true);  // who asks may be waiting for work that is patient
  counters.completed = launchesCompleted_.load(std::memory_order_relaxed);
  counters.libraries = device_.libraryCount();
  counters.kernels = device_.kernelCount();
  return counters;
}

}  // namespace metile
