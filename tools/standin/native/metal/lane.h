// The GPU's side of a command queue: a thread that runs command buffers in their order, and one that calls handlers.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

#include "../runtime/types.h"

namespace standin {

struct CommandBuffer;

class Lane : public std::enable_shared_from_this<Lane> {
 public:
  explicit Lane(Unsigned maxOpen) : maxOpen_(maxOpen) {}

  /// Waits until fewer command buffers than the queue may have are open.
  void open();
  /// A command buffer that was never committed is gone.
  void discard();
  /// Reserves the next place in the order.
  void enqueue(CommandBuffer* buffer);
  void commit(CommandBuffer* buffer);
  void waitUntilScheduled(CommandBuffer* buffer);
  void waitUntilCompleted(CommandBuffer* buffer);
  /// The queue is gone: the threads end when they have nothing left.
  void close();

 private:
  void start();
  void runCommandBuffers();
  void runHandlers();
  void execute(CommandBuffer* buffer);

  const Unsigned maxOpen_;
  std::mutex mutex_;
  std::condition_variable work_;      // for the GPU
  std::condition_variable finished_;  // for the handlers
  std::condition_variable progress_;  // for everybody else
  std::deque<CommandBuffer*> order_;
  struct Job {
    CommandBuffer* buffer;
    bool completed;  // or scheduled
  };
  std::deque<Job> jobs_;
  Unsigned open_ = 0;
  Unsigned committed_ = 0;
  bool started_ = false;
  bool closed_ = false;
  bool ignoring_ = false;  // after an error, until a new queue is made
};

}  // namespace standin
