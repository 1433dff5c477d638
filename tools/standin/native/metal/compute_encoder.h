// MTLComputeCommandEncoder.
#pragma once

#include "encoder.h"

namespace standin {

constexpr Unsigned slotCount = 31;
constexpr Unsigned bytesAtMost = 4096;            // of setBytes
constexpr Unsigned threadgroupBytesAtMost = 32768;
constexpr Unsigned threadsAtMost = 1024;

struct Fence : Object {
  inline static Class* type = nullptr;
};

struct ComputeEncoder : Encoder {
  inline static Class* type = nullptr;

  struct Slot {
    enum class Kind { empty, buffer, bytes } kind = Kind::empty;
    Buffer* buffer = nullptr;
    Unsigned offset = 0;  // into the buffer, or the work's constants
    Unsigned length = 0;
  };

  Pipeline* pipeline = nullptr;
  Slot slots[slotCount];
  Unsigned threadgroupBytes[slotCount] = {};

  ComputeEncoder(CommandBuffer* buffer, bool concurrent) : Encoder(buffer) { work->concurrent = concurrent; }

  void setBuffer(Object* object, Unsigned offset, Unsigned index);
  void setBufferOffset(Unsigned offset, Unsigned index);
  void setBytes(const void* bytes, Unsigned length, Unsigned index);
  void setThreadgroupMemory(Unsigned length, Unsigned index);
  /// Whole threadgroups.
  void dispatch(Size groups, Size threads);
  /// A grid of threads, whose last threadgroups may be smaller.
  void dispatchThreads(Size grid, Size threads);
  void barrier(std::vector<Object*> resources);

 private:
  bool isDropped(Size groups, Size threads) const;
  void bind(Command& command);
  void bindMemory(Command& command);
};

}  // namespace standin
