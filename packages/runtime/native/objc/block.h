// A block with one object argument, made by hand after the block ABI (compilers without -fblocks have no syntax for it).
#pragma once

#include <atomic>

#include "types.h"

namespace metile::objc {

struct BlockDescriptor {
  unsigned long reserved;
  unsigned long size;
  void (*copy)(BlockLiteral* target, const BlockLiteral* source);
  void (*dispose)(const BlockLiteral* block);
};

// What a block calls. Deleted with its last copy.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void call(id argument) noexcept = 0;

 private:
  friend class StackBlock;
  friend struct BlockLiteral;
  std::atomic<int> holders_{1};
};

struct BlockLiteral {
  void* isa;
  int flags;
  int reserved;
  void (*invoke)(BlockLiteral* self, id argument);
  const BlockDescriptor* descriptor;
  Handler* handler;  // captured: shared by all copies

  static void copy(BlockLiteral* target, const BlockLiteral* source);
  static void dispose(const BlockLiteral* block);
};

// On the caller's stack, for the time of one message; a receiver that keeps it makes a copy.
class StackBlock {
 public:
  explicit StackBlock(Handler* handler);
  ~StackBlock() { BlockLiteral::dispose(&block_); }
  StackBlock(const StackBlock&) = delete;
  StackBlock& operator=(const StackBlock&) = delete;

  BlockLiteral* get() { return &block_; }

 private:
  BlockLiteral block_;
};

}  // namespace metile::objc
