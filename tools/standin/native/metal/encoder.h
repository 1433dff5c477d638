// MTLCommandEncoder: what compute and blit encoders have in common.
#pragma once

#include "command_buffer.h"

namespace standin {

struct Encoder : Object {
  inline static Class* type = nullptr;
  Reference<CommandBuffer> buffer;
  Work* work;
  bool ended = false;
  std::atomic<bool> busy{false};

  explicit Encoder(CommandBuffer* buffer);
  ~Encoder();
};

/// A message to an encoder: aborts after endEncoding, and when two threads send at once.
class EncoderUse {
 public:
  explicit EncoderUse(Encoder* encoder) : encoder_(encoder) {
    if (encoder->busy.exchange(true, std::memory_order_acquire)) violation("two threads use the encoder at once");
    if (encoder->ended) violation("endEncoding was sent before");
  }
  ~EncoderUse() { encoder_->busy.store(false, std::memory_order_release); }
  EncoderUse(const EncoderUse&) = delete;
  EncoderUse& operator=(const EncoderUse&) = delete;

 private:
  Encoder* encoder_;
};

Object* newComputeEncoder(CommandBuffer* buffer, bool concurrent);
Object* newBlitEncoder(CommandBuffer* buffer);

}  // namespace standin
