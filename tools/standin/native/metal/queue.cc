#include "queue.h"

#include "../foundation/text.h"
#include "command_buffer.h"
#include "parts.h"
#include "residency_set.h"

namespace standin {

namespace {

struct CommandBufferDescriptor : Object {
  inline static Class* type = nullptr;
  bool retained = true;
  Unsigned errorOptions = 0;
};

Object* newCommandBuffer(Queue* queue, bool retained, Unsigned errorOptions) {
  queue->lane->open();
  return lend(make<CommandBuffer>(queue, retained, errorOptions));
}

void checkSets(Object* const* sets, Unsigned count) {
  for (Unsigned index = 0; index < count; index++) need<ResidencySet>(sets[index], "a residency set");
}

}  // namespace

void defineQueue() {
  Class* descriptor = define<CommandBufferDescriptor>("MTLCommandBufferDescriptor");
  method(descriptor, "setErrorOptions:", +[](CommandBufferDescriptor* self, Selector, Unsigned options) {
    self->errorOptions = options;
  });
  method(descriptor, "setRetainedReferences:", +[](CommandBufferDescriptor* self, Selector, bool retained) {
    self->retained = retained;
  });

  Class* queue = define<Queue>("MTLCommandQueue");
  method(queue, "commandBuffer", +[](Queue* self, Selector) -> Object* { return newCommandBuffer(self, true, 0); });
  method(queue, "commandBufferWithUnretainedReferences", +[](Queue* self, Selector) -> Object* {
    return newCommandBuffer(self, false, 0);
  });
  method(queue, "commandBufferWithDescriptor:", +[](Queue* self, Selector, Object* object) -> Object* {
    auto* descriptor = need<CommandBufferDescriptor>(object, "the descriptor");
    return newCommandBuffer(self, descriptor->retained, descriptor->errorOptions);
  });
  method(queue, "label", +[](Queue* self, Selector) -> Object* { return lendText(self->label); });
  method(queue, "setLabel:", +[](Queue* self, Selector, Object* label) {
    self->label = need<Text>(label, "the label")->value;
  });
  method(queue, "addResidencySet:", +[](Queue*, Selector, Object* set) { checkSets(&set, 1); });
  method(queue, "removeResidencySet:", +[](Queue*, Selector, Object* set) { checkSets(&set, 1); });
  method(queue, "addResidencySets:count:", +[](Queue*, Selector, Object* const* sets, Unsigned count) {
    checkSets(sets, count);
  });
  method(queue, "removeResidencySets:count:", +[](Queue*, Selector, Object* const* sets, Unsigned count) {
    checkSets(sets, count);
  });
}

}  // namespace standin
