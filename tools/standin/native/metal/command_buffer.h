// MTLCommandBuffer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../foundation/error.h"
#include "../runtime/block.h"
#include "failures.h"
#include "queue.h"
#include "work.h"

namespace standin {

struct CommandBuffer : Object {
  inline static Class* type = nullptr;
  Reference<Queue> queue;
  const bool retained;
  const Unsigned errorOptions;
  std::atomic<Unsigned> status{0};
  Object* openEncoder = nullptr;
  std::vector<std::unique_ptr<Work>> works;
  std::vector<Object*> used;
  std::vector<Block*> scheduledHandlers;
  std::vector<Block*> completedHandlers;
  std::string label;
  Failure injected;
  // Set before the status tells that the buffer is done.
  Reference<Error> error;
  double startTime = 0;
  double endTime = 0;
  // Under the lane's lock.
  std::atomic<int> waiting{0};
  bool handlersDone = false;
  bool hasHandlers = false;  // for when it is scheduled

  CommandBuffer(Queue* queue, bool retained, Unsigned errorOptions)
      : queue(Reference<Queue>::keep(queue)), retained(retained), errorOptions(errorOptions) {}
  ~CommandBuffer();

  bool committed() const { return status.load() >= 2; }
  /// Work of a new encoder. Aborts when the buffer takes none any more, or another encoder is open.
  Work* begin();
  /// Keeps an object until the buffer is done, or watches that somebody else does.
  void use(Object* object);
  void endUse();
  Failure run();
  void finish(double start, double end, const Failure& failure);
  void callHandlers(bool completedOnes);
};

}  // namespace standin
