#include "block.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "counters.h"
#include "violation.h"

extern "C" {
__attribute__((visibility("default"))) void* _NSConcreteStackBlock[32];
__attribute__((visibility("default"))) void* _NSConcreteGlobalBlock[32];
__attribute__((visibility("default"))) void* _NSConcreteMallocBlock[32];
}

namespace standin {

namespace {

constexpr int countMask = 0xfffe;  // references, in steps of two
constexpr int needsFree = 1 << 24;
constexpr int hasCopyAndDispose = 1 << 25;
constexpr int isGlobal = 1 << 28;

/// Where the isa of a block that was freed points.
void* freedBlock[1];

void check(const Block* block) {
  if (block->isa == freedBlock) violation("a block that was freed");
  const bool known = block->isa == _NSConcreteStackBlock || block->isa == _NSConcreteGlobalBlock ||
                     block->isa == _NSConcreteMallocBlock;
  if (!known) violation("a block whose isa is none of the three classes of blocks");
  if (block->invoke == nullptr) violation("a block without a function");
  if (block->descriptor == nullptr || block->descriptor->size < sizeof(Block)) {
    violation("a block whose descriptor has no size");
  }
  if ((block->isa == _NSConcreteGlobalBlock) != ((block->flags & isGlobal) != 0)) {
    violation("a block whose class and flags differ on whether it is global");
  }
}

int addToCount(Block* block, int amount) {
  return __atomic_fetch_add(&block->flags, amount, __ATOMIC_ACQ_REL) & countMask;
}

/// Freed blocks keep their memory until so many others were freed, so that a late call or release is seen.
void bury(Block* block) {
  static std::mutex mutex;
  static Block* places[1024];
  static std::size_t next = 0;
  block->isa = freedBlock;
  block->invoke = nullptr;
  const std::lock_guard lock(mutex);
  std::free(places[next % 1024]);
  places[next++ % 1024] = block;
}

}  // namespace

Block* copyBlock(Block* block) {
  if (block == nullptr) return nullptr;
  check(block);
  if (block->flags & isGlobal) return block;
  if (block->flags & needsFree) {
    addToCount(block, 2);
    return block;
  }
  auto* copy = static_cast<Block*>(std::malloc(block->descriptor->size));
  std::memcpy(static_cast<void*>(copy), block, block->descriptor->size);
  copy->isa = _NSConcreteMallocBlock;
  copy->flags = (block->flags & ~countMask) | needsFree | 2;
  if (copy->flags & hasCopyAndDispose) copy->descriptor->copy(copy, block);
  counters().blocks.fetch_add(1, std::memory_order_relaxed);
  return copy;
}

void releaseBlock(Block* block) {
  if (block == nullptr) return;
  check(block);
  if (block->flags & isGlobal) return;
  if (!(block->flags & needsFree)) violation("release of a block that is on the stack");
  const int before = addToCount(block, -2);
  if (before > 2) return;
  if (block->flags & hasCopyAndDispose) block->descriptor->dispose(block);
  counters().blocks.fetch_sub(1, std::memory_order_relaxed);
  bury(block);
}

}  // namespace standin

using standin::Block;

STANDIN_API void* _Block_copy(const void* block) {
  return standin::copyBlock(static_cast<Block*>(const_cast<void*>(block)));
}

STANDIN_API void _Block_release(const void* block) {
  standin::releaseBlock(static_cast<Block*>(const_cast<void*>(block)));
}

STANDIN_API void* dispatch_data_create(const void*, std::size_t, void*, void*) {
  standin::violationOutside("not implemented in the stand-in: dispatch_data_create");
}
