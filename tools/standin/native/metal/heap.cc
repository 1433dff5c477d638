#include "heap.h"

#include "../../generated/values.h"
#include "buffer.h"
#include "memory.h"
#include "parts.h"

namespace standin {

namespace {

struct HeapDescriptor : Object {
  inline static Class* type = nullptr;
  Unsigned size = 0;
  Unsigned storageMode = MTLStorageModePrivate;
  Unsigned hazardTracking = 0;
  Unsigned cacheMode = 0;
  Integer heapType = MTLHeapTypeAutomatic;
};

}  // namespace

Object* newHeap(Object* object) {
  auto* descriptor = need<HeapDescriptor>(object, "the descriptor");
  if (descriptor->size == 0) violation("a heap of size 0");
  if (descriptor->heapType != MTLHeapTypeAutomatic) violation("the stand-in has automatic heaps alone");
  const Unsigned options = descriptor->cacheMode | descriptor->storageMode << 4 | descriptor->hazardTracking << 8;
  return make<Heap>(roundToPage(descriptor->size), options);
}

void defineHeap() {
  Class* descriptor = define<HeapDescriptor>("MTLHeapDescriptor");
  method(descriptor, "setSize:", +[](HeapDescriptor* self, Selector, Unsigned size) { self->size = size; });
  method(descriptor, "setStorageMode:", +[](HeapDescriptor* self, Selector, Unsigned mode) { self->storageMode = mode; });
  method(descriptor, "setResourceOptions:", +[](HeapDescriptor* self, Selector, Unsigned options) {
    checkOptions(options);
    self->cacheMode = options & 0xf;
    self->storageMode = options >> 4 & 0xf;
    self->hazardTracking = options >> 8 & 3;
  });
  method(descriptor, "setHazardTrackingMode:",
         +[](HeapDescriptor* self, Selector, Unsigned mode) { self->hazardTracking = mode; });
  method(descriptor, "setType:", +[](HeapDescriptor* self, Selector, Integer type) { self->heapType = type; });

  Class* heap = define<Heap>("MTLHeap");
  method(heap, "newBufferWithLength:options:", +[](Heap* self, Selector, Unsigned length, Unsigned options) -> Object* {
    if ((options >> 4 & 0xf) != (self->options >> 4 & 0xf)) violation("storage modes of heap and buffer differ");
    const Unsigned bytes = roundToPage(length);
    if (self->used.fetch_add(bytes) + bytes > self->size) {
      self->used.fetch_sub(bytes);
      return nullptr;
    }
    Buffer* buffer = newBuffer(length, options);
    if (buffer == nullptr) {
      self->used.fetch_sub(bytes);
    } else {
      buffer->heap = Reference<Object>::keep(self);
    }
    return buffer;
  });
  method(heap, "size", +[](Heap* self, Selector) -> Unsigned { return self->size; });
  method(heap, "usedSize", +[](Heap* self, Selector) -> Unsigned { return self->used; });
  method(heap, "currentAllocatedSize", +[](Heap* self, Selector) -> Unsigned { return self->size; });
  method(heap, "maxAvailableSizeWithAlignment:",
         +[](Heap* self, Selector, Unsigned) -> Unsigned { return self->size - self->used; });
}

}  // namespace standin
