// MTLBlitCommandEncoder: copies and fills.

#include "../runtime/counters.h"
#include "compute_encoder.h"
#include "parts.h"

namespace standin {

namespace {

struct BlitEncoder : Encoder {
  inline static Class* type = nullptr;

  explicit BlitEncoder(CommandBuffer* buffer) : Encoder(buffer) {}
};

/// macOS wants multiples of four.
void checkPiece(const Buffer& buffer, Unsigned offset, Unsigned size, const char* what) {
  if (size == 0) violation("a size of 0");
  if (offset > buffer.length || size > buffer.length - offset) {
    violation("%lu bytes from %lu of the %s, which has %lu", size, offset, what, buffer.length);
  }
  if (offset % 4 != 0 || size % 4 != 0) violation("%lu bytes from %lu; multiples of 4 are needed", size, offset);
}

void fill(BlitEncoder* self, Object* object, Range range, std::uint8_t value) {
  auto* buffer = need<Buffer>(object, "the buffer");
  checkPiece(*buffer, range.location, range.length, "buffer");
  self->buffer->use(buffer);
  Command command;
  command.kind = Command::Kind::fill;
  command.to = buffer;
  command.toOffset = range.location;
  command.size = range.length;
  command.value = value;
  self->work->commands.push_back(std::move(command));
  counters().blits.fetch_add(1, std::memory_order_relaxed);
}

void copy(BlitEncoder* self, Object* source, Unsigned sourceOffset, Object* target, Unsigned targetOffset, Unsigned size) {
  auto* from = need<Buffer>(source, "the source");
  auto* to = need<Buffer>(target, "the target");
  checkPiece(*from, sourceOffset, size, "source");
  checkPiece(*to, targetOffset, size, "target");
  if (from == to && sourceOffset < targetOffset + size && targetOffset < sourceOffset + size) {
    violation("source and target overlap");
  }
  self->buffer->use(from);
  self->buffer->use(to);
  Command command;
  command.kind = Command::Kind::copy;
  command.from = from;
  command.to = to;
  command.fromOffset = sourceOffset;
  command.toOffset = targetOffset;
  command.size = size;
  self->work->commands.push_back(std::move(command));
  counters().blits.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

Object* newBlitEncoder(CommandBuffer* buffer) { return make<BlitEncoder>(buffer); }

void defineBlitEncoder() {
  Class* encoder = define<BlitEncoder>("MTLBlitCommandEncoder", Encoder::type);
  method(encoder, "fillBuffer:range:value:",
         +[](BlitEncoder* self, Selector, Object* buffer, Range range, std::uint8_t value) {
           const EncoderUse use(self);
           fill(self, buffer, range, value);
         });
  method(encoder, "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:",
         +[](BlitEncoder* self, Selector, Object* source, Unsigned sourceOffset, Object* target, Unsigned targetOffset,
             Unsigned size) {
           const EncoderUse use(self);
           copy(self, source, sourceOffset, target, targetOffset, size);
         });
  method(encoder, "synchronizeResource:", +[](BlitEncoder* self, Selector, Object* resource) {
    const EncoderUse use(self);
    auto* buffer = need<Buffer>(resource, "the resource");
    if ((buffer->options >> 4 & 0xf) != 1) violation("the resource is not managed");
  });
  method(encoder, "updateFence:", +[](BlitEncoder* self, Selector, Object* fence) {
    const EncoderUse use(self);
    need<Fence>(fence, "the fence");
  });
  method(encoder, "waitForFence:", +[](BlitEncoder* self, Selector, Object* fence) {
    const EncoderUse use(self);
    need<Fence>(fence, "the fence");
  });
}

}  // namespace standin
