// Blocks as the C ABI lays them out, with real copies: handlers are copied when they are given and disposed of once.
#pragma once

#include "types.h"

namespace standin {

struct BlockDescriptor {
  unsigned long reserved;
  unsigned long size;
  void (*copy)(Block* into, const Block* from);  // these two only with the flag for them
  void (*dispose)(const Block* block);
};

struct Block {
  void* isa;
  int flags;
  int reserved;
  void (*invoke)(Block*, ...);
  const BlockDescriptor* descriptor;
};

Block* copyBlock(Block* block);
void releaseBlock(Block* block);

/// Calls a block with its exact prototype.
template <class... Arguments>
void callBlock(Block* block, Arguments... arguments) {
  reinterpret_cast<void (*)(Block*, Arguments...)>(block->invoke)(block, arguments...);
}

}  // namespace standin
