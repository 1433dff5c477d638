#include "command_buffer.h"

#include "../../generated/values.h"
#include "../foundation/text.h"
#include "../runtime/counters.h"
#include "encoder.h"
#include "parts.h"
#include "residency_set.h"

namespace standin {

CommandBuffer::~CommandBuffer() {
  endUse();
  for (Block* block : scheduledHandlers) releaseBlock(block);
  for (Block* block : completedHandlers) releaseBlock(block);
  if (!committed()) queue->lane->discard();
}

Work* CommandBuffer::begin() {
  if (committed()) violation("the command buffer was committed");
  if (openEncoder != nullptr) violation("another encoder of the command buffer is open");
  counters().encoders.fetch_add(1, std::memory_order_relaxed);
  works.push_back(std::make_unique<Work>());
  return works.back().get();
}

void CommandBuffer::use(Object* object) {
  object->inFlight.fetch_add(1, std::memory_order_relaxed);
  if (retained) retain(object);
  used.push_back(object);
}

void CommandBuffer::endUse() {
  for (Object* object : used) {
    object->inFlight.fetch_sub(1, std::memory_order_acq_rel);
    if (retained) release(object);
  }
  used.clear();
}

Failure CommandBuffer::run() {
  std::string report;
  for (const auto& work : works) {
    if (!runWork(*work, report)) return reportedFailure(report);
  }
  return {};
}

void CommandBuffer::finish(double start, double end, const Failure& failure) {
  works.clear();
  startTime = start;
  endTime = end;
  if (failure) {
    counters().failedCommandBuffers.fetch_add(1);
    error = Reference<Error>::adopt(
        make<Error>(commandBufferErrorDomain, static_cast<Integer>(failure.code), failure.text));
  }
  status.store(failure ? MTLCommandBufferStatusError : MTLCommandBufferStatusCompleted);
}

void CommandBuffer::callHandlers(bool completedOnes) {
  std::vector<Block*> handlers = std::move(completedOnes ? completedHandlers : scheduledHandlers);
  (completedOnes ? completedHandlers : scheduledHandlers).clear();
  for (Block* block : handlers) {
    callBlock(block, static_cast<Object*>(this));
    releaseBlock(block);
  }
}

namespace {

void commit(CommandBuffer* self) {
  if (self->committed()) violation("the command buffer was committed before");
  if (self->openEncoder != nullptr) violation("an encoder is open: endEncoding was not sent");
  self->injected = injectedFailure();
  counters().commandBuffers.fetch_add(1, std::memory_order_relaxed);
  retain(self);  // until its handlers have been called
  self->queue->lane->commit(self);
}

void addHandler(CommandBuffer* self, std::vector<Block*>& to, Block* block) {
  if (block == nullptr) violation("the handler is nil");
  if (self->committed()) violation("a handler given after the commit may never be called");
  to.push_back(copyBlock(block));
}

void requireCommitted(CommandBuffer* self) {
  if (!self->committed()) violation("the command buffer was not committed: this waits for ever");
}

bool isDone(CommandBuffer* self) { return self->status.load() >= MTLCommandBufferStatusCompleted; }

void defineResidencyAndGroups(Class* buffer) {
  method(buffer, "useResidencySet:", +[](CommandBuffer*, Selector, Object* set) {
    need<ResidencySet>(set, "the residency set");
  });
  method(buffer, "useResidencySets:count:", +[](CommandBuffer*, Selector, Object* const* sets, Unsigned count) {
    for (Unsigned index = 0; index < count; index++) need<ResidencySet>(sets[index], "a residency set");
  });
  method(buffer, "pushDebugGroup:", +[](CommandBuffer*, Selector, Object* name) { need<Text>(name, "the name"); });
  method(buffer, "popDebugGroup", +[](CommandBuffer*, Selector) {});
}

void defineState(Class* buffer) {
  method(buffer, "status", +[](CommandBuffer* self, Selector) -> Unsigned { return self->status.load(); });
  // Not autoreleased: it goes with the command buffer.
  method(buffer, "error", +[](CommandBuffer* self, Selector) -> Object* {
    return isDone(self) ? self->error.get() : nullptr;
  });
  method(buffer, "GPUStartTime", +[](CommandBuffer* self, Selector) { return isDone(self) ? self->startTime : 0; });
  method(buffer, "GPUEndTime", +[](CommandBuffer* self, Selector) { return isDone(self) ? self->endTime : 0; });
  method(buffer, "kernelStartTime", +[](CommandBuffer* self, Selector) { return isDone(self) ? self->startTime : 0; });
  method(buffer, "kernelEndTime", +[](CommandBuffer* self, Selector) { return isDone(self) ? self->endTime : 0; });
  method(buffer, "errorOptions", +[](CommandBuffer* self, Selector) -> Unsigned { return self->errorOptions; });
  method(buffer, "retainedReferences", +[](CommandBuffer* self, Selector) -> bool { return self->retained; });
  method(buffer, "setLabel:", +[](CommandBuffer* self, Selector, Object* label) {
    self->label = need<Text>(label, "the label")->value;
  });
}

}  // namespace

void defineCommandBuffer() {
  Class* buffer = define<CommandBuffer>("MTLCommandBuffer");
  defineState(buffer);
  defineResidencyAndGroups(buffer);
  method(buffer, "computeCommandEncoder", +[](CommandBuffer* self, Selector) -> Object* {
    return lend(newComputeEncoder(self, false));
  });
  method(buffer, "computeCommandEncoderWithDispatchType:",
         +[](CommandBuffer* self, Selector, Unsigned type) -> Object* {
           if (type > MTLDispatchTypeConcurrent) violation("dispatch type %lu", type);
           return lend(newComputeEncoder(self, type == MTLDispatchTypeConcurrent));
         });
  method(buffer, "blitCommandEncoder", +[](CommandBuffer* self, Selector) -> Object* {
    return lend(newBlitEncoder(self));
  });
  method(buffer, "addScheduledHandler:", +[](CommandBuffer* self, Selector, Block* block) {
    addHandler(self, self->scheduledHandlers, block);
  });
  method(buffer, "addCompletedHandler:", +[](CommandBuffer* self, Selector, Block* block) {
    addHandler(self, self->completedHandlers, block);
  });
  method(buffer, "enqueue", +[](CommandBuffer* self, Selector) {
    if (self->status.load() != MTLCommandBufferStatusNotEnqueued) violation("the command buffer was enqueued before");
    self->queue->lane->enqueue(self);
  });
  method(buffer, "commit", +[](CommandBuffer* self, Selector) { commit(self); });
  method(buffer, "waitUntilScheduled", +[](CommandBuffer* self, Selector) {
    requireCommitted(self);
    self->queue->lane->waitUntilScheduled(self);
  });
  method(buffer, "waitUntilCompleted", +[](CommandBuffer* self, Selector) {
    requireCommitted(self);
    self->queue->lane->waitUntilCompleted(self);
  });
}

}  // namespace standin
