// The messages that a compute encoder takes.

#include "../../generated/values.h"
#include "compute_encoder.h"
#include "parts.h"

namespace standin {

namespace {

void defineArguments(Class* encoder) {
  method(encoder, "setComputePipelineState:", +[](ComputeEncoder* self, Selector, Object* object) {
    const EncoderUse use(self);
    self->pipeline = need<Pipeline>(object, "the pipeline");
    self->buffer->use(self->pipeline);
  });
  method(encoder, "setBuffer:offset:atIndex:",
         +[](ComputeEncoder* self, Selector, Object* buffer, Unsigned offset, Unsigned index) {
           const EncoderUse use(self);
           self->setBuffer(buffer, offset, index);
         });
  method(encoder, "setBuffers:offsets:withRange:",
         +[](ComputeEncoder* self, Selector, Object* const* buffers, const Unsigned* offsets, Range range) {
           const EncoderUse use(self);
           for (Unsigned index = 0; index < range.length; index++) {
             self->setBuffer(buffers[index], offsets[index], range.location + index);
           }
         });
  method(encoder, "setBufferOffset:atIndex:", +[](ComputeEncoder* self, Selector, Unsigned offset, Unsigned index) {
    const EncoderUse use(self);
    self->setBufferOffset(offset, index);
  });
  method(encoder, "setBytes:length:atIndex:",
         +[](ComputeEncoder* self, Selector, const void* bytes, Unsigned length, Unsigned index) {
           const EncoderUse use(self);
           self->setBytes(bytes, length, index);
         });
  method(encoder, "setThreadgroupMemoryLength:atIndex:",
         +[](ComputeEncoder* self, Selector, Unsigned length, Unsigned index) {
           const EncoderUse use(self);
           self->setThreadgroupMemory(length, index);
         });
}

void defineDispatches(Class* encoder) {
  method(encoder, "dispatchThreadgroups:threadsPerThreadgroup:",
         +[](ComputeEncoder* self, Selector, Size groups, Size threads) {
           const EncoderUse use(self);
           self->dispatch(groups, threads);
         });
  method(encoder, "dispatchThreads:threadsPerThreadgroup:",
         +[](ComputeEncoder* self, Selector, Size grid, Size threads) {
           const EncoderUse use(self);
           self->dispatchThreads(grid, threads);
         });
  method(encoder, "memoryBarrierWithScope:", +[](ComputeEncoder* self, Selector, Unsigned scope) {
    const EncoderUse use(self);
    if (scope & ~(MTLBarrierScopeBuffers | MTLBarrierScopeTextures)) violation("scope %lu", scope);
    if (scope & MTLBarrierScopeBuffers) self->barrier({});
  });
  method(encoder, "memoryBarrierWithResources:count:",
         +[](ComputeEncoder* self, Selector, Object* const* resources, Unsigned count) {
           const EncoderUse use(self);
           std::vector<Object*> named;
           for (Unsigned index = 0; index < count; index++) {
             named.push_back(need<Buffer>(resources[index], "a resource"));
           }
           if (!named.empty()) self->barrier(std::move(named));
         });
  method(encoder, "dispatchType", +[](ComputeEncoder* self, Selector) -> Unsigned {
    return self->work->concurrent ? MTLDispatchTypeConcurrent : MTLDispatchTypeSerial;
  });
}

void defineResidency(Class* encoder) {
  method(encoder, "useResource:usage:", +[](ComputeEncoder* self, Selector, Object* resource, Unsigned) {
    const EncoderUse use(self);
    self->buffer->use(need<Buffer>(resource, "the resource"));
  });
  method(encoder, "useResources:count:usage:",
         +[](ComputeEncoder* self, Selector, Object* const* resources, Unsigned count, Unsigned) {
           const EncoderUse use(self);
           for (Unsigned index = 0; index < count; index++) {
             self->buffer->use(need<Buffer>(resources[index], "a resource"));
           }
         });
  method(encoder, "updateFence:", +[](ComputeEncoder* self, Selector, Object* fence) {
    const EncoderUse use(self);
    self->buffer->use(need<Fence>(fence, "the fence"));
  });
  method(encoder, "waitForFence:", +[](ComputeEncoder* self, Selector, Object* fence) {
    const EncoderUse use(self);
    self->buffer->use(need<Fence>(fence, "the fence"));
  });
}

}  // namespace

void defineComputeEncoder() {
  Class* encoder = define<ComputeEncoder>("MTLComputeCommandEncoder", Encoder::type);
  defineArguments(encoder);
  defineDispatches(encoder);
  defineResidency(encoder);
  define<Fence>("MTLFence");
}

}  // namespace standin
