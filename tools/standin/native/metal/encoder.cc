#include "encoder.h"

#include "../foundation/text.h"
#include "parts.h"

namespace standin {

Encoder::Encoder(CommandBuffer* of) : buffer(Reference<CommandBuffer>::keep(of)), work(of->begin()) {
  of->openEncoder = this;
}

Encoder::~Encoder() {
  if (!ended) violationOutside("a %s was released without endEncoding", isa->owner);
}

void defineEncoder() {
  Class* encoder = define<Encoder>("MTLCommandEncoder");
  method(encoder, "endEncoding", +[](Encoder* self, Selector) {
    const EncoderUse use(self);
    self->ended = true;
    self->buffer->openEncoder = nullptr;
  });
  method(encoder, "setLabel:", +[](Encoder* self, Selector, Object* label) {
    const EncoderUse use(self);
    need<Text>(label, "the label");
  });
  method(encoder, "insertDebugSignpost:", +[](Encoder* self, Selector, Object* name) {
    const EncoderUse use(self);
    need<Text>(name, "the name");
  });
  method(encoder, "pushDebugGroup:", +[](Encoder* self, Selector, Object* name) {
    const EncoderUse use(self);
    need<Text>(name, "the name");
  });
  method(encoder, "popDebugGroup", +[](Encoder* self, Selector) { const EncoderUse use(self); });
}

}  // namespace standin
