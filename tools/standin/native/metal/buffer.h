// MTLBuffer.
#pragma once

#include "../runtime/block.h"
#include "../runtime/define.h"

namespace standin {

struct Heap;

struct Buffer : Object {
  inline static Class* type = nullptr;
  char* data;
  Unsigned length;
  Unsigned options;
  bool owned = true;            // the memory is the buffer's
  Block* deallocator = nullptr;  // of memory that is not
  Reference<Object> heap;

  Buffer(void* data, Unsigned length, Unsigned options)
      : data(static_cast<char*>(data)), length(length), options(options) {}
  ~Buffer();
};

/// Null when the length or the memory does not allow it.
Buffer* newBuffer(Unsigned length, Unsigned options);

void checkOptions(Unsigned options);

}  // namespace standin
