#include "buffer.h"

#include "../../generated/values.h"
#include "../foundation/text.h"
#include "../runtime/counters.h"
#include "../runtime/switches.h"
#include "heap.h"
#include "memory.h"
#include "parts.h"

namespace standin {

namespace {

Unsigned storageMode(Unsigned options) { return options >> 4 & 0xf; }

struct Resource : Object {
  inline static Class* type = nullptr;
};

void defineResource(Class* resource) {
  method(resource, "allocatedSize", +[](Buffer* self, Selector) -> Unsigned { return roundToPage(self->length); });
  method(resource, "setLabel:", +[](Object*, Selector, Object* label) { as<Text>(label, "the label"); });
  method(resource, "storageMode", +[](Buffer* self, Selector) -> Unsigned { return storageMode(self->options); });
  method(resource, "resourceOptions", +[](Buffer* self, Selector) -> Unsigned { return self->options; });
  method(resource, "hazardTrackingMode", +[](Buffer* self, Selector) -> Unsigned {
    const Unsigned mode = self->options >> 8 & 3;
    return mode == MTLHazardTrackingModeDefault ? MTLHazardTrackingModeTracked : mode;
  });
  method(resource, "setPurgeableState:", +[](Buffer*, Selector, Unsigned) -> Unsigned {
    return MTLPurgeableStateNonVolatile;
  });
  method(resource, "heapOffset", +[](Buffer*, Selector) -> Unsigned { return 0; });
}

}  // namespace

Buffer::~Buffer() {
  if (owned) freeMemory(data, length);
  if (heap) static_cast<Heap*>(heap.get())->used.fetch_sub(roundToPage(length));
  if (deallocator != nullptr) {
    callBlock(deallocator, static_cast<void*>(data), length);
    releaseBlock(deallocator);
  }
}

void checkOptions(Unsigned options) {
  const Unsigned known = MTLResourceCPUCacheModeWriteCombined | MTLResourceStorageModeMemoryless |
                         MTLResourceHazardTrackingModeUntracked | MTLResourceHazardTrackingModeTracked;
  if ((options & ~known) != 0) violation("options 0x%lx have unknown bits", options);
  if (storageMode(options) == MTLStorageModeMemoryless) violation("a buffer cannot be memoryless");
}

Buffer* newBuffer(Unsigned length, Unsigned options) {
  checkOptions(options);
  if (length == 0 || length > switches().maxBuffer) return nullptr;
  void* memory = allocateMemory(length);
  return memory == nullptr ? nullptr : make<Buffer>(memory, length, options);
}

void defineBuffer() {
  Class* resource = define<Resource>("MTLResource");
  defineResource(resource);
  Class* buffer = define<Buffer>("MTLBuffer", resource);
  method(buffer, "contents", +[](Buffer* self, Selector) -> void* {
    return storageMode(self->options) == MTLStorageModePrivate ? nullptr : self->data;
  });
  method(buffer, "length", +[](Buffer* self, Selector) -> Unsigned { return self->length; });
  method(buffer, "gpuAddress", +[](Buffer* self, Selector) -> Unsigned {
    return reinterpret_cast<Unsigned>(self->data);
  });
  method(buffer, "didModifyRange:", +[](Buffer* self, Selector, Range range) {
    if (storageMode(self->options) != MTLStorageModeManaged) violation("the buffer is not managed");
    if (range.location + range.length > self->length) violation("a range past the end");
  });
  method(buffer, "addDebugMarker:range:", +[](Buffer* self, Selector, Object* marker, Range range) {
    need<Text>(marker, "the marker");
    if (range.location + range.length > self->length) violation("a range past the end");
  });
}

}  // namespace standin
