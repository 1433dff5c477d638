// Commands in order, and the threads that run them: the stream thread, or a caller that waits while it sleeps.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "command.h"
#include "doorbell.h"

namespace metile {

class CommandQueue {
 public:
  static constexpr std::uint64_t capacity = 256;
  static constexpr std::uint64_t maximumBytes = 512ull << 20;  // touched by what is queued, roughly

  // Does the work. The completion is the queue's concern; the fault is what the completion is to hear.
  class Runner {
   public:
    // Of a device that is done when a call returns: all of a command.
    virtual FaultPointer run(Command& command) noexcept = 0;

    // Of a device that runs ahead: hands a command to it, which sets its ticket, and ends a command whose work is done.
    virtual void issue(Command& command) noexcept = 0;
    virtual FaultPointer conclude(Command& command) noexcept = 0;

   protected:
    ~Runner() = default;
  };

  CommandQueue(Runner& runner, Device& device);
  CommandQueue(const CommandQueue&) = delete;
  CommandQueue& operator=(const CommandQueue&) = delete;

  // The lock for everything that enqueuing threads share. Comes with room for one more command: a caller that finds the
  // queue full waits, and helps to empty it.
  std::unique_lock<std::mutex> lockWithRoom();
  std::unique_lock<std::mutex> lock() { return std::unique_lock<std::mutex>(mutex_); }

  // With the lock held: the entry to fill, its number to be, and its publication.
  Command& next() { return ring_[enqueued_.load(std::memory_order_relaxed) % capacity]; }
  std::uint64_t nextNumber() const { return enqueued_.load(std::memory_order_relaxed) + 1; }
  void push();

  // After the lock was let go: sees to it that what was pushed runs. Little work may wait for company; with `now` it
  // may not, because somebody waits for it without blocking.
  void kick(bool now);

  std::uint64_t enqueued() const { return enqueued_.load(std::memory_order_seq_cst); }
  std::uint64_t completed() const { return completed_.load(std::memory_order_seq_cst); }

  // Returns once command `number` has completed, running commands itself when nobody else does.
  void waitFor(std::uint64_t number);

  // The same, if that takes but a moment: little work, and nobody else at it. Says whether it did.
  bool catchUp(std::uint64_t number);

 private:
  // How long a thread works for a device that runs ahead: till the last command is done, till all are handed to it (which
  // waits while it has no room), or till it has no room.
  enum class Until { done, issued, full };

  void start();
  void loop();
  void run(std::uint64_t last);
  void runAhead(std::uint64_t last, Until until);
  void conclude(Command& command, FaultPointer fault, std::uint64_t done);
  bool acquire() { return !executing_.exchange(true, std::memory_order_seq_cst); }
  void let() { executing_.store(false, std::memory_order_seq_cst); }
  bool patient() const;
  bool pending() const { return completed() < enqueued(); }
  // Whether there is something for an executor to do now.
  bool actionable() const;
  bool ready() const { return actionable() && !executing_.load(std::memory_order_seq_cst); }
  void tellWaiters(std::uint64_t done);

  Runner& runner_;
  Device& device_;
  const bool runsAhead_;
  std::mutex mutex_;
  std::unique_ptr<Command[]> ring_;
  std::atomic<std::uint64_t> enqueued_{0};
  std::atomic<std::uint64_t> bytes_{0};   // of what is queued
  std::atomic<std::uint64_t> effort_{0};
  alignas(64) std::atomic<std::uint64_t> completed_{0};
  std::atomic<bool> executing_{false};

  // Of a device that runs ahead: commands that were handed to it, and the ticket of the first that is not done.
  std::atomic<std::uint64_t> issued_{0};
  std::atomic<Ticket> awaited_{0};

  Doorbell doorbell_;
  std::once_flag started_;
  std::atomic<bool> running_{false};

  std::mutex waitMutex_;
  std::condition_variable waitCondition_;
  std::atomic<std::uint64_t> waitTarget_{UINT64_MAX};
};

}  // namespace metile
