// Work on one stream of an NVIDIA device, and when it is done: an event after every batch of launches.
//
// One thread at a time encodes. A thread of ours waits for events, so that nobody else has to.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "../stream/device.h"
#include "driver.h"

namespace metile::cuda {

class Work {
 public:
  // Throws a device failure when the process may have no more threads.
  explicit Work(Context context);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  StreamHandle stream() const { return stream_; }

  // Before a command is given to the stream: marks the beginning of a batch, for which it may have to wait.
  void begin();
  // Whether it has not.
  bool hasRoom() const { return open_ || sent_.load(std::memory_order_relaxed) - finished() < slots; }
  // After it: the ticket, or what became of a command that the driver refused.
  Ticket encoded(Result result);

  void submit();
  Ticket finished() const { return finished_.load(std::memory_order_acquire); }
  void await(Ticket ticket);
  std::shared_ptr<const std::string> failure(Ticket ticket);
  void onProgress(void (*function)(void*), void* context);
  DeviceTimes times();

 private:
  // Batches whose events may be pending at a time.
  static constexpr Ticket slots = 64;

  struct Slot {
    Event begin = nullptr;
    Event end = nullptr;
  };

  void watch();
  void settle(Ticket ticket, Result result);
  Ticket refuse(const std::string& message);

  Context context_;
  StreamHandle stream_ = nullptr;
  Slot slots_[slots];
  bool open_ = false;
  std::uint32_t commands_ = 0;

  std::mutex mutex_;  // guards what follows
  std::condition_variable sentCondition_;
  std::condition_variable finishedCondition_;
  std::map<Ticket, std::shared_ptr<const std::string>> failures_;
  std::map<Ticket, std::string> refused_;  // tickets that have no event
  std::shared_ptr<const std::string> lost_;  // after an error that the context does not survive
  DeviceTimes times_;
  std::atomic<Ticket> sent_{0};
  std::atomic<Ticket> finished_{0};
  void (*progress_)(void*) = nullptr;
  void* progressContext_ = nullptr;
};

// What a failed command means, with what helps.
std::string describeFailure(Result result);

}  // namespace metile::cuda
