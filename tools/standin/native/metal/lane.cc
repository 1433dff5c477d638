#include "lane.h"

#include <unistd.h>

#include <chrono>
#include <thread>

#include "../../generated/values.h"
#include "../runtime/counters.h"
#include "../runtime/switches.h"
#include "command_buffer.h"
#include "queue.h"

namespace standin {

namespace {

/// The buffer whose handlers this thread is calling.
thread_local CommandBuffer* handled = nullptr;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

void Lane::open() {
  std::unique_lock lock(mutex_);
  const auto free = [this] { return open_ < maxOpen_; };
  while (!progress_.wait_for(lock, std::chrono::seconds(10), free)) {
    if (committed_ == 0) violation("waits for ever: %lu command buffers are open, none of them committed", open_);
  }
  open_++;
  counters().openCommandBuffers.fetch_add(1, std::memory_order_relaxed);
}

void Lane::discard() {
  const std::lock_guard lock(mutex_);
  open_--;
  counters().openCommandBuffers.fetch_sub(1, std::memory_order_relaxed);
  progress_.notify_all();
}

void Lane::start() {
  if (started_) return;
  started_ = true;
  std::thread([self = shared_from_this()] { self->runCommandBuffers(); }).detach();
  std::thread([self = shared_from_this()] { self->runHandlers(); }).detach();
}

void Lane::enqueue(CommandBuffer* buffer) {
  const std::lock_guard lock(mutex_);
  order_.push_back(buffer);
  buffer->status.store(MTLCommandBufferStatusEnqueued);
}

void Lane::commit(CommandBuffer* buffer) {
  const std::lock_guard lock(mutex_);
  start();
  if (buffer->status.load() == MTLCommandBufferStatusNotEnqueued) order_.push_back(buffer);
  buffer->status.store(MTLCommandBufferStatusCommitted);
  committed_++;
  work_.notify_one();
}

void Lane::runCommandBuffers() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [this] {
      if (order_.empty()) return closed_;
      return order_.front()->status.load() >= MTLCommandBufferStatusCommitted;
    });
    if (order_.empty()) return;
    CommandBuffer* buffer = order_.front();
    order_.pop_front();
    buffer->status.store(MTLCommandBufferStatusScheduled);
    if (!buffer->scheduledHandlers.empty()) {
      buffer->hasHandlers = true;
      jobs_.push_back({buffer, false});
      finished_.notify_one();
    }
    if (buffer->waiting.load() > 0) progress_.notify_all();
    lock.unlock();
    execute(buffer);
    lock.lock();
  }
}

void Lane::execute(CommandBuffer* buffer) {
  const double start = now();
  Failure failure = ignoring_ ? ignoredFailure() : buffer->injected;
  const bool injected = static_cast<bool>(failure);
  if (switches().delay > 0) ::usleep(static_cast<useconds_t>(switches().delay));
  if (!failure) failure = buffer->run();
  // Whoever learns that the buffer is done may free what it used.
  buffer->endUse();
  std::unique_lock lock(mutex_);
  if (injected) ignoring_ = true;
  buffer->finish(start, now(), failure);
  open_--;
  committed_--;
  counters().openCommandBuffers.fetch_sub(1, std::memory_order_relaxed);
  if (buffer->hasHandlers || !buffer->completedHandlers.empty()) {
    jobs_.push_back({buffer, true});
    finished_.notify_one();
    progress_.notify_all();
    return;
  }
  buffer->handlersDone = true;
  progress_.notify_all();
  lock.unlock();
  release(buffer);  // may free the queue
}

void Lane::runHandlers() {
  std::unique_lock lock(mutex_);
  for (;;) {
    finished_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const Job job = jobs_.front();
    jobs_.pop_front();
    lock.unlock();
    handled = job.buffer;
    // No pool: what a handler autoreleases without one of its own is counted as leaked.
    job.buffer->callHandlers(job.completed);
    handled = nullptr;
    if (!job.completed) {
      lock.lock();
      continue;
    }
    lock.lock();
    job.buffer->handlersDone = true;
    if (job.buffer->waiting.load() > 0) progress_.notify_all();
    lock.unlock();
    release(job.buffer);  // may free the queue
    lock.lock();
  }
}

void Lane::waitUntilScheduled(CommandBuffer* buffer) {
  std::unique_lock lock(mutex_);
  buffer->waiting.fetch_add(1);
  progress_.wait(lock, [buffer] { return buffer->status.load() >= MTLCommandBufferStatusScheduled; });
  buffer->waiting.fetch_sub(1);
}

void Lane::waitUntilCompleted(CommandBuffer* buffer) {
  if (handled == buffer) violation("a handler waits for the command buffer that calls it");
  std::unique_lock lock(mutex_);
  buffer->waiting.fetch_add(1);
  progress_.wait(lock, [buffer] { return buffer->handlersDone; });
  buffer->waiting.fetch_sub(1);
}

void Lane::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  work_.notify_all();
  finished_.notify_all();
}

}  // namespace standin
