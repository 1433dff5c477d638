#include "thread_pool.h"

#include <algorithm>

#include "../stream/spin.h"
#include "../stream/thread.h"

namespace metile {
namespace {

// How long a worker stays awake for the next loop, and a caller for the last pieces of others.
constexpr int awakeMicroseconds = 40;

// Pieces a thread: enough to even out what else the machine does, few enough to keep rows together.
constexpr std::uint64_t piecesPerThread = 8;

}  // namespace

void ThreadPool::run(std::uint64_t count, unsigned threads, Body body, void* context) {
  const auto useful = static_cast<unsigned>(std::min<std::uint64_t>(threads, count));
  if (useful <= 1) {
    if (count > 0) body(context, 0, count);
    return;
  }
  Job job;
  job.body = body;
  job.context = context;
  job.count = count;
  job.piece = std::max<std::uint64_t>(1, count / (useful * piecesPerThread));
  unsigned waking = useful - 1;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    grow(useful - 1);
    job_ = job;
    next_.store(0, std::memory_order_relaxed);
    seats_ = useful - 1;
    generation_ += 1;
    opened_.store(generation_, std::memory_order_release);
    waking = std::min(waking, workers_);
  }
  if (waking == workers_) {
    wake_.notify_all();
  } else {
    for (unsigned worker = 0; worker < waking; worker++) wake_.notify_one();
  }
  work(job);
  finish();
}

void ThreadPool::finish() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    seats_ = 0;  // who wakes up now finds nothing to join
  }
  if (spin(awakeMicroseconds, [this] { return active_.load(std::memory_order_acquire) == 0; })) return;
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [this] { return active_.load(std::memory_order_acquire) == 0; });
}

void ThreadPool::work(const Job& job) {
  for (;;) {
    const std::uint64_t begin = next_.fetch_add(job.piece, std::memory_order_relaxed);
    if (begin >= job.count) return;
    job.body(job.context, begin, std::min(begin + job.piece, job.count));
  }
}

void ThreadPool::grow(unsigned workers) {
  while (workers_ < workers && !refused_) {
    if (startThread("metile-worker", [](void* self) { static_cast<ThreadPool*>(self)->loop(); }, this)) workers_ += 1;
    else refused_ = true;  // the caller does the work of the threads that are not there
  }
}

void ThreadPool::loop() {
  std::uint64_t seen = 0;
  for (;;) {
    spin(awakeMicroseconds, [&] { return opened_.load(std::memory_order_acquire) != seen; });
    Job job;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return generation_ != seen; });
      seen = generation_;
      if (seats_ == 0) continue;
      seats_ -= 1;
      job = job_;
      active_.fetch_add(1, std::memory_order_relaxed);
    }
    work(job);
    bool last;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      last = active_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }
    if (last) done_.notify_one();
  }
}

}  // namespace metile
