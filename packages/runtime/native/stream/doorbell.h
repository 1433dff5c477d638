// Puts the stream thread to sleep and wakes it, without a system call while it is awake.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace metile {

class Doorbell {
 public:
  bool asleep() const { return asleep_.load(std::memory_order_seq_cst); }

  // Wakes the sleeper. Cheap when it is awake or was woken already.
  void ring() {
    if (!asleep_.exchange(false, std::memory_order_seq_cst)) return;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      rung_ = true;
    }
    condition_.notify_one();
  }

  // Sleeps until rung, unless `ready` says that there is something to do. Both sides first say what they did and then
  // look at the other's word, in one total order, so that no ring is lost.
  template <typename Ready>
  void sleep(Ready ready) {
    std::unique_lock<std::mutex> lock(mutex_);
    rung_ = false;
    asleep_.store(true, std::memory_order_seq_cst);
    if (ready()) {
      asleep_.store(false, std::memory_order_seq_cst);
      return;
    }
    condition_.wait(lock, [this] { return rung_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  std::atomic<bool> asleep_{false};
  bool rung_ = false;
};

}  // namespace metile
