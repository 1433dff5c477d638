// MTLHeap: counts what its buffers take; each has memory of its own.
#pragma once

#include "../runtime/define.h"

namespace standin {

struct Heap : Object {
  inline static Class* type = nullptr;
  Unsigned size;
  Unsigned options;
  std::atomic<Unsigned> used{0};

  Heap(Unsigned size, Unsigned options) : size(size), options(options) {}
};

/// Of an MTLHeapDescriptor.
Object* newHeap(Object* descriptor);

}  // namespace standin
