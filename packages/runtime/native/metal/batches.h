// Work in command buffers: several launches share one, which costs less and lets the GPU go from one to the next.
//
// One thread at a time encodes; Metal's threads tell of completion.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "../objc/ownership.h"
#include "../stream/device.h"

namespace metile::metal {

class Batches {
 public:
  explicit Batches(objc::id device);
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  // The encoder of the open batch; opens one when none is, for which it may have to wait. Nil when Metal gives none.
  objc::id encoder();

  // Whether it has not.
  bool hasRoom() const;

  // Counts what was encoded last and gives its ticket. A full batch is sent.
  Ticket encoded(std::uint64_t bytes);

  // The ticket of work that failed before it was encoded.
  Ticket failed(std::string message);

  // Since the last barrier of the open batch; rises with each, and with each batch.
  std::uint64_t epoch() const { return epoch_; }
  void barrier();

  void submit(bool now);
  Ticket finished() const { return finished_.load(std::memory_order_acquire); }
  void await(Ticket ticket);
  std::shared_ptr<const std::string> failure(Ticket ticket);
  void onProgress(void (*function)(void*), void* context);
  DeviceTimes times();

  // Told by Metal, on a thread of its own.
  void completed(Ticket ticket, std::shared_ptr<const std::string> failure, double seconds);

 private:
  bool open();
  void send();
  void renewQueue();
  void finish(std::unique_lock<std::mutex>& lock, Ticket ticket);

  objc::id device_;
  objc::Reference queue_;
  objc::Reference buffer_;   // the open batch
  objc::Reference encoder_;
  Ticket ticket_ = 0;        // of the open batch, else of the last one
  std::uint32_t commands_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t epoch_ = 1;

  std::mutex mutex_;  // guards what follows
  std::condition_variable condition_;
  std::map<Ticket, bool> early_;  // completed before an earlier one
  std::map<Ticket, std::shared_ptr<const std::string>> failures_;
  DeviceTimes times_;
  std::atomic<Ticket> sent_{0};
  std::atomic<Ticket> finished_{0};
  std::atomic<bool> broken_{false};  // an error makes a queue refuse later work
  void (*progress_)(void*) = nullptr;
  void* progressContext_ = nullptr;
};

}  // namespace metile::metal
