#include "block.h"

#include "runtime.h"

namespace metile::objc {
namespace {

constexpr int hasCopyDispose = 1 << 25;

void invoke(BlockLiteral* self, id argument) { self->handler->call(argument); }

const BlockDescriptor descriptor = {0, sizeof(BlockLiteral), BlockLiteral::copy, BlockLiteral::dispose};

}  // namespace

void BlockLiteral::copy(BlockLiteral*, const BlockLiteral* source) {
  source->handler->holders_.fetch_add(1, std::memory_order_relaxed);
}

void BlockLiteral::dispose(const BlockLiteral* block) {
  if (block->handler->holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete block->handler;
}

StackBlock::StackBlock(Handler* handler)
    : block_{runtime.stackBlock, hasCopyDispose, 0, invoke, &descriptor, handler} {}

}  // namespace metile::objc
