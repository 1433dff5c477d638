#include "compute_encoder.h"

#include <cstring>

#include "../runtime/counters.h"
#include "../runtime/switches.h"

namespace standin {

namespace {

void checkSlot(Unsigned index) {
  if (index >= slotCount) violation("index %lu; the last one is %lu", index, slotCount - 1);
}

void checkOffset(const Buffer& buffer, Unsigned offset) {
  if (offset >= buffer.length) violation("offset %lu is past the end of a buffer of %lu bytes", offset, buffer.length);
}

std::uint32_t narrow(Unsigned count, const char* what) {
  if (count > UINT32_MAX) violation("%lu %s; positions have 32 bits", count, what);
  return static_cast<std::uint32_t>(count);
}

}  // namespace

Object* newComputeEncoder(CommandBuffer* buffer, bool concurrent) { return make<ComputeEncoder>(buffer, concurrent); }

void ComputeEncoder::setBuffer(Object* object, Unsigned offset, Unsigned index) {
  checkSlot(index);
  auto* of = as<Buffer>(object, "the buffer");
  if (of == nullptr) {
    slots[index] = {};
    return;
  }
  checkOffset(*of, offset);
  buffer->use(of);
  slots[index] = {Slot::Kind::buffer, of, offset, 0};
}

void ComputeEncoder::setBufferOffset(Unsigned offset, Unsigned index) {
  checkSlot(index);
  if (slots[index].kind != Slot::Kind::buffer) violation("no buffer is set at index %lu", index);
  checkOffset(*slots[index].buffer, offset);
  slots[index].offset = offset;
}

void ComputeEncoder::setBytes(const void* bytes, Unsigned length, Unsigned index) {
  checkSlot(index);
  if (bytes == nullptr) violation("the bytes are NULL");
  if (length == 0 || length > bytesAtMost) violation("%lu bytes; from 1 to %lu are allowed", length, bytesAtMost);
  const std::size_t offset = (work->constants.size() + 15) / 16 * 16;
  work->constants.resize(offset + length);
  std::memcpy(work->constants.data() + offset, bytes, length);
  slots[index] = {Slot::Kind::bytes, nullptr, offset, length};
}

void ComputeEncoder::setThreadgroupMemory(Unsigned length, Unsigned index) {
  checkSlot(index);
  if (length % 16 != 0) violation("%lu bytes; a multiple of 16 is needed", length);
  if (length > threadgroupBytesAtMost) violation("%lu bytes; at most %lu", length, threadgroupBytesAtMost);
  threadgroupBytes[index] = length;
}

bool ComputeEncoder::isDropped(Size groups, Size threads) const {
  const Unsigned count = threads.width * threads.height * threads.depth;
  const bool empty = groups.width == 0 || groups.height == 0 || groups.depth == 0;
  if (!empty && count <= pipeline->maxTotalThreads) return false;
  counters().droppedDispatches.fetch_add(1);
  if (switches().abortOnDrop) {
    if (empty) violation("no threadgroups: %lu, %lu, %lu", groups.width, groups.height, groups.depth);
    violation("%lu threads in a threadgroup; the pipeline takes %lu: Metal drops the dispatch in silence", count,
              pipeline->maxTotalThreads);
  }
  return true;
}

void ComputeEncoder::dispatch(Size groups, Size threads) {
  if (pipeline == nullptr) violation("no pipeline is set");
  if (threads.width == 0 || threads.height == 0 || threads.depth == 0) violation("a threadgroup without threads");
  if (threads.width > threadsAtMost || threads.height > threadsAtMost || threads.depth > threadsAtMost) {
    violation("a threadgroup of %lu, %lu, %lu threads; at most %lu each", threads.width, threads.height, threads.depth,
              threadsAtMost);
  }
  if (isDropped(groups, threads)) return;
  Command command;
  command.kind = Command::Kind::dispatch;
  command.pipeline = pipeline;
  const Unsigned counts[] = {groups.width, groups.height, groups.depth};
  const Unsigned sizes[] = {threads.width, threads.height, threads.depth};
  for (int axis = 0; axis < 3; axis++) {
    command.groups[axis] = narrow(counts[axis], "threadgroups");
    command.threads[axis] = narrow(sizes[axis], "threads");
  }
  bind(command);
  bindMemory(command);
  work->commands.push_back(std::move(command));
  counters().dispatches.fetch_add(1, std::memory_order_relaxed);
}

void ComputeEncoder::bind(Command& command) {
  command.firstBinding = static_cast<std::uint32_t>(work->bindings.size());
  for (const KernelBuffer& wanted : pipeline->kernel->buffers) {
    const Slot& slot = slots[wanted.index];
    if (slot.kind == Slot::Kind::empty) {
      violation("%s: nothing is set at buffer index %u", pipeline->kernel->name.c_str(), wanted.index);
    }
    const bool bytes = slot.kind == Slot::Kind::bytes;
    const Unsigned there = bytes ? slot.length : slot.buffer->length - slot.offset;
    if (there < wanted.bytes) {
      violation("%s: %lu bytes at buffer index %u; the kernel reads %lu", pipeline->kernel->name.c_str(), there,
                wanted.index, static_cast<Unsigned>(wanted.bytes));
    }
    if (bytes && wanted.writable) {
      violation("%s: bytes at buffer index %u, which the kernel writes", pipeline->kernel->name.c_str(), wanted.index);
    }
    work->bindings.push_back({wanted.index, slot.buffer, slot.offset, slot.length});
  }
  command.bindings = static_cast<std::uint32_t>(work->bindings.size()) - command.firstBinding;
}

void ComputeEncoder::bindMemory(Command& command) {
  command.firstMemory = static_cast<std::uint32_t>(work->memories.size());
  Unsigned total = pipeline->kernel->threadgroupBytes;
  for (const std::uint32_t index : pipeline->kernel->threadgroups) {
    if (threadgroupBytes[index] == 0) {
      violation("%s: no threadgroup memory is set at index %u", pipeline->kernel->name.c_str(), index);
    }
    total += threadgroupBytes[index];
    work->memories.push_back({index, static_cast<std::uint32_t>(threadgroupBytes[index])});
  }
  if (total > threadgroupBytesAtMost) {
    violation("%s: %lu bytes of threadgroup memory; at most %lu", pipeline->kernel->name.c_str(), total,
              threadgroupBytesAtMost);
  }
  command.memories = static_cast<std::uint32_t>(work->memories.size()) - command.firstMemory;
}

void ComputeEncoder::dispatchThreads(Size grid, Size threads) {
  const Unsigned sizes[] = {threads.width, threads.height, threads.depth};
  const Unsigned counts[] = {grid.width, grid.height, grid.depth};
  Unsigned groups[3];
  Unsigned used[3];
  for (int axis = 0; axis < 3; axis++) {
    if (sizes[axis] == 0) violation("a threadgroup without threads");
    // A single threadgroup may be cut; smaller ones beside whole ones are beyond the interface of modules.
    const bool single = counts[axis] < sizes[axis];
    used[axis] = single && counts[axis] > 0 ? counts[axis] : sizes[axis];
    if (!single && counts[axis] % sizes[axis] != 0) {
      violationOutside("not implemented in the stand-in: dispatchThreads of %lu threads in threadgroups of %lu",
                       counts[axis], sizes[axis]);
    }
    groups[axis] = counts[axis] / used[axis];
  }
  dispatch({groups[0], groups[1], groups[2]}, {used[0], used[1], used[2]});
}

void ComputeEncoder::barrier(std::vector<Object*> resources) {
  Command command;
  command.kind = Command::Kind::barrier;
  command.resources = std::move(resources);
  work->commands.push_back(std::move(command));
  counters().barriers.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace standin
