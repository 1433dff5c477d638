#include "residency_set.h"

#include <algorithm>

#include "../foundation/text.h"
#include "buffer.h"
#include "heap.h"
#include "memory.h"
#include "parts.h"

namespace standin {

namespace {

struct ResidencySetDescriptor : Object {
  inline static Class* type = nullptr;
};

void checkAllocation(Object* object) {
  if (object == nullptr) violation("the allocation is nil");
  requireAlive(object, "the allocation");
  if (isKind(object, Buffer::type) || isKind(object, Heap::type)) return;
  violation("a %s is no allocation", object->isa->owner);
}

}  // namespace

void ResidencySet::add(Object* allocation) {
  checkAllocation(allocation);
  for (const auto& held : allocations) {
    if (held.get() == allocation) return;
  }
  allocations.push_back(Reference<Object>::keep(allocation));
}

void ResidencySet::remove(Object* allocation) {
  checkAllocation(allocation);
  const auto same = [allocation](const Reference<Object>& held) { return held.get() == allocation; };
  allocations.erase(std::remove_if(allocations.begin(), allocations.end(), same), allocations.end());
}

Object* newResidencySet(Object* descriptor) {
  need<ResidencySetDescriptor>(descriptor, "the descriptor");
  return make<ResidencySet>();
}

void defineResidencySet() {
  Class* descriptor = define<ResidencySetDescriptor>("MTLResidencySetDescriptor");
  method(descriptor, "setLabel:", +[](ResidencySetDescriptor*, Selector, Object* label) {
    need<Text>(label, "the label");
  });
  method(descriptor, "setInitialCapacity:", +[](ResidencySetDescriptor*, Selector, Unsigned) {});

  Class* set = define<ResidencySet>("MTLResidencySet");
  method(set, "addAllocation:", +[](ResidencySet* self, Selector, Object* allocation) { self->add(allocation); });
  method(set, "addAllocations:count:", +[](ResidencySet* self, Selector, Object* const* allocations, Unsigned count) {
    for (Unsigned index = 0; index < count; index++) self->add(allocations[index]);
  });
  method(set, "removeAllocation:", +[](ResidencySet* self, Selector, Object* allocation) { self->remove(allocation); });
  method(set, "removeAllAllocations", +[](ResidencySet* self, Selector) { self->allocations.clear(); });
  method(set, "commit", +[](ResidencySet*, Selector) {});
  method(set, "requestResidency", +[](ResidencySet*, Selector) {});
  method(set, "endResidency", +[](ResidencySet*, Selector) {});
  method(set, "allocationCount", +[](ResidencySet* self, Selector) -> Unsigned { return self->allocations.size(); });
  method(set, "allocatedSize", +[](ResidencySet* self, Selector) -> Unsigned {
    Unsigned total = 0;
    for (const auto& held : self->allocations) {
      const bool heap = isKind(held.get(), Heap::type);
      total += heap ? static_cast<Heap*>(held.get())->size : roundToPage(static_cast<Buffer*>(held.get())->length);
    }
    return total;
  });
}

}  // namespace standin
