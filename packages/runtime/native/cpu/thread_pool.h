// Threads that share one loop at a time with the thread that asks for it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace metile {

class ThreadPool {
 public:
  using Body = void (*)(void* context, std::uint64_t begin, std::uint64_t end);

  ThreadPool() = default;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Calls `body` for pieces that together cover [0, count), on up to `threads` threads of which the caller is one, and
  // returns when all are done. Which thread runs a piece is left open. One caller at a time.
  void run(std::uint64_t count, unsigned threads, Body body, void* context);

 private:
  struct Job {
    Body body = nullptr;
    void* context = nullptr;
    std::uint64_t count = 0;
    std::uint64_t piece = 1;
  };

  void grow(unsigned workers);
  void loop();
  void work(const Job& job);
  void finish();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  Job job_;
  std::uint64_t generation_ = 0;  // of the job, so that a worker joins each once
  unsigned seats_ = 0;            // workers that may still join
  unsigned workers_ = 0;
  bool refused_ = false;
  std::atomic<std::uint64_t> opened_{0};  // generation_, for workers that spin
  alignas(64) std::atomic<std::uint64_t> next_{0};
  alignas(64) std::atomic<unsigned> active_{0};
};

}  // namespace metile
