#include "command_queue.h"

#include <algorithm>
#include <utility>

#include "spin.h"
#include "thread.h"

namespace metile {
namespace {

// The stream thread stays awake this long after its last command: longer than the pause between two enqueues, and
// short enough to cost nothing when idle.
constexpr int awakeMicroseconds = 30;

// Work below these bounds waits for company or for somebody who wants it, instead of waking a thread for it.
constexpr std::uint64_t patientEffort = 32 << 10;
constexpr std::uint64_t patientCommands = 16;

}  // namespace

CommandQueue::CommandQueue(Runner& runner, Device& device)
    : runner_(runner), device_(device), runsAhead_(device.runsAhead()), ring_(new Command[capacity]) {
  if (!runsAhead_) return;
  // Whether or not the thread is known to run: it may be asleep before whoever started it has noted that it runs.
  device.onProgress([](void* self) { static_cast<CommandQueue*>(self)->doorbell_.ring(); }, this);
}

std::unique_lock<std::mutex> CommandQueue::lockWithRoom() {
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex_);
    const std::uint64_t last = enqueued_.load(std::memory_order_relaxed);
    const std::uint64_t pending = last - completed();
    const bool tooMuch = !runsAhead_ && pending > 0 && bytes_.load(std::memory_order_relaxed) >= maximumBytes;
    if (pending < capacity && !tooMuch) return lock;
    lock.unlock();
    // A quarter of the queue at a time, so that a caller which is faster than the device does not wake for each command.
    waitFor(pending < capacity ? last - pending / 2 : last - capacity * 3 / 4);
  }
}

void CommandQueue::push() {
  const Command& command = next();
  bytes_.fetch_add(command.bytes, std::memory_order_relaxed);
  effort_.fetch_add(command.effort, std::memory_order_relaxed);
  enqueued_.fetch_add(1, std::memory_order_seq_cst);
}

bool CommandQueue::patient() const {
  return effort_.load(std::memory_order_relaxed) < patientEffort && enqueued() - completed() < patientCommands;
}

void CommandQueue::kick(bool now) {
  const bool running = running_.load(std::memory_order_acquire);
  if (running && !doorbell_.asleep()) return;
  if (!now && patient()) return;
  if (running) doorbell_.ring();
  else start();
}

void CommandQueue::waitFor(std::uint64_t number) {
  while (completed() < number) {
    if (acquire()) {
      if (runsAhead_) runAhead(number, Until::done);
      else run(number);
      let();
      if (pending()) kick(true);
      continue;
    }
    if (spin(awakeMicroseconds, [&] { return completed() >= number || !executing_.load(std::memory_order_seq_cst); })) continue;
    // Whoever executes either goes on to the end or wakes the stream thread, so that the number is reached.
    std::unique_lock<std::mutex> lock(waitMutex_);
    waitTarget_.store(std::min(waitTarget_.load(), number), std::memory_order_seq_cst);
    if (completed() >= number) return;
    waitCondition_.wait(lock);
  }
}

bool CommandQueue::catchUp(std::uint64_t number) {
  if (completed() >= number) return true;
  if (runsAhead_) {  // a device is not waited for: what is done is noted, what it has room for is sent
    if (acquire()) {
      runAhead(number, Until::full);
      let();
      if (pending()) kick(true);
    }
    return completed() >= number;
  }
  if (effort_.load(std::memory_order_relaxed) >= patientEffort) return false;
  if (!acquire()) {
    return spin(awakeMicroseconds, [&] { return completed() >= number; });
  }
  run(number);
  let();
  if (pending()) kick(true);
  return true;
}

void CommandQueue::run(std::uint64_t last) {
  std::uint64_t done = completed_.load(std::memory_order_relaxed);
  while (done < last && done < enqueued_.load(std::memory_order_acquire)) {
    Command& command = ring_[done % capacity];
    FaultPointer fault = runner_.run(command);
    done += 1;
    conclude(command, std::move(fault), done);
  }
}

void CommandQueue::conclude(Command& command, FaultPointer fault, std::uint64_t done) {
  Completion* completion = std::exchange(command.completion, nullptr);
  bytes_.fetch_sub(command.bytes, std::memory_order_relaxed);
  effort_.fetch_sub(command.effort, std::memory_order_relaxed);
  completed_.store(done, std::memory_order_seq_cst);
  tellWaiters(done);
  if (completion != nullptr) completion->finished(std::move(fault));
}

// Commands end in the order in which they were issued, so that faults travel along the stream.
void CommandQueue::runAhead(std::uint64_t last, Until until) {
  std::uint64_t done = completed_.load(std::memory_order_relaxed);
  std::uint64_t issued = issued_.load(std::memory_order_relaxed);
  const bool wait = until == Until::done;
  bool urgent = wait;
  for (;;) {
    const Ticket finished = device_.finished();
    while (done < issued && ring_[done % capacity].ticket <= finished) {
      Command& command = ring_[done % capacity];
      FaultPointer fault = runner_.conclude(command);
      done += 1;
      conclude(command, std::move(fault), done);
    }
    if (done >= last) break;
    if (issued < enqueued_.load(std::memory_order_acquire)) {
      if (until == Until::full && !device_.hasRoom()) break;
      Command& command = ring_[issued % capacity];
      runner_.issue(command);
      urgent |= command.completion != nullptr;
      issued += 1;
      issued_.store(issued, std::memory_order_relaxed);
      continue;
    }
    if (!wait || done == issued) break;
    device_.submit(true);
    device_.await(ring_[done % capacity].ticket);
  }
  // Without the last word a batch might stay open with nobody to think of it again.
  if (done < issued) device_.submit(urgent);
  awaited_.store(done < issued ? ring_[done % capacity].ticket : 0, std::memory_order_release);
}

bool CommandQueue::actionable() const {
  if (!runsAhead_) return pending();
  if (issued_.load(std::memory_order_relaxed) < enqueued()) return true;
  const Ticket awaited = awaited_.load(std::memory_order_acquire);
  return awaited != 0 && awaited <= device_.finished();
}

void CommandQueue::tellWaiters(std::uint64_t done) {
  if (done < waitTarget_.load(std::memory_order_seq_cst)) return;
  {
    std::lock_guard<std::mutex> lock(waitMutex_);
    waitTarget_.store(UINT64_MAX, std::memory_order_seq_cst);
  }
  waitCondition_.notify_all();
}

void CommandQueue::start() {
  std::call_once(started_, [this] {
    running_.store(startThread("metile-stream", [](void* self) { static_cast<CommandQueue*>(self)->loop(); }, this),
                   std::memory_order_release);
  });
  // Whoever found another one starting the thread was too late for its first look at the queue, perhaps. A process that may
  // have no more threads still works: whoever enqueues executes.
  if (running_.load(std::memory_order_acquire)) doorbell_.ring();
  else waitFor(enqueued());
}

void CommandQueue::loop() {
  for (;;) {
    if (actionable() && acquire()) {
      if (runsAhead_) runAhead(UINT64_MAX, Until::issued);
      else run(UINT64_MAX);
      let();
    }
    if (spin(awakeMicroseconds, [this] { return ready(); })) continue;
    doorbell_.sleep([this] { return ready(); });
  }
}

}  // namespace metile
