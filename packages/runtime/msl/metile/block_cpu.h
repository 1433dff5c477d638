// Blocks of columns on a CPU: the loops behind FOR_COLUMNS, and what happens before and after each block.
#pragma once
#include "metile/types.h"

#define ROW_LANES 32 /* columns a block, and partial sums a Sum: part of what results are, on every CPU */

struct ColumnBlock { // count columns from start on
  uint start, count;
};
struct Column { // what FOR_COLUMNS calls i
  uint start, lane;
  METAL_FUNC Column(uint start_, uint lane_) : start(start_), lane(lane_) {}
};

template <typename E> struct Block { E values[ROW_LANES]; };

namespace metile {
// What absent buffers read as: tables, so that a row is read through one pointer whether it is there or not.
#define ROW_TIMES_4(v) v, v, v, v
#define ROW_TIMES_32(v) ROW_TIMES_4(ROW_TIMES_4(v)), ROW_TIMES_4(ROW_TIMES_4(v))
alignas(64) static const float zero_floats[ROW_LANES] = {};
alignas(64) static const float one_floats[ROW_LANES] = {ROW_TIMES_32(1.0f)};
alignas(64) static const ushort one_halves[ROW_LANES] = {ROW_TIMES_32(0x3c00)};
alignas(64) static const ushort one_bfloats[ROW_LANES] = {ROW_TIMES_32(0x3f80)};
#undef ROW_TIMES_4
#undef ROW_TIMES_32
METAL_FUNC const void* ones(float) { return one_floats; }
METAL_FUNC const void* ones(half) { return one_halves; }
METAL_FUNC const void* ones(bfloat) { return one_bfloats; }
template <typename E> METAL_FUNC const E* absent_block(Absent absent) {
  return (const E*)(absent == Absent::ones ? ones(E(0.0f)) : zero_floats);
}

// An output that no cache will hold is better written past the caches: its rows must start on whole chunks.
#define ROW_STREAM_BYTES (32ul << 20)
METAL_FUNC bool worth_streaming(const void* target, ulong stride, ulong element, ulong rows) {
  ulong bytes = stride * element;
  return bytes * rows >= ROW_STREAM_BYTES && ((ulong)target | bytes) % sizeof(metal::cpu::Chunk) == 0;
}
} // namespace metile

template <typename E> struct Row;
template <typename E> struct RowOut;
struct Sum;
namespace metile {

// What a loop over columns does before its first block and after each, for what its body feeds. Outputs that are to bypass
// the caches, or are absent, are collected here block by block; apart from the outputs themselves, for compilers to keep
// those in registers.
template <typename... Fed> struct Blocks {
  METAL_FUNC void begin(bool) {}
  METAL_FUNC void finish(ColumnBlock, bool) {}
};
template <typename Other, typename... Rest> struct Blocks<Other, Rest...> : Blocks<Rest...> {
  METAL_FUNC void begin(bool later, thread Other&, thread Rest&... others) { Blocks<Rest...>::begin(later, others...); }
  METAL_FUNC void finish(ColumnBlock done, bool last, thread Other&, thread Rest&... others) {
    Blocks<Rest...>::finish(done, last, others...);
  }
};
template <typename... Rest> struct Blocks<Sum, Rest...> : Blocks<Rest...> {
  template <typename S> METAL_FUNC void begin(bool later, thread S& sum, thread Rest&... others) {
    if (later) sum.next_tile();
    Blocks<Rest...>::begin(later, others...);
  }
  METAL_FUNC void finish(ColumnBlock done, bool last, thread Sum&, thread Rest&... others) {
    Blocks<Rest...>::finish(done, last, others...);
  }
};
template <typename E, typename... Rest> struct Blocks<Row<E>, Rest...> : Blocks<Rest...> {
  METAL_FUNC void begin(bool later, thread Row<E>&, thread Rest&... others) { Blocks<Rest...>::begin(later, others...); }
  METAL_FUNC void finish(ColumnBlock done, bool last, thread Row<E>& row, thread Rest&... others) {
    metal::cpu::prefetch(row.ahead + done.start, ROW_LANES * sizeof(E));
    Blocks<Rest...>::finish(done, last, others...);
  }
};
template <typename E, typename... Rest> struct Blocks<RowOut<E>, Rest...> {
  alignas(64) Block<E> block;
  Blocks<Rest...> rest;
  METAL_FUNC void begin(bool later, thread RowOut<E>& out, thread Rest&... others) {
    const bool aside = out.streams || !out.present;
    out.block = aside ? block.values : out.row;
    out.step = aside ? 0 : 1;
    rest.begin(later, others...);
  }
  METAL_FUNC void finish(ColumnBlock done, bool last, thread RowOut<E>& out, thread Rest&... others) {
    if (metal::cpu::opaque(out.streams)) { // else compilers would make a copy of the whole loop for either answer
      device E* to = out.row + done.start;
      if (done.count == ROW_LANES) metal::cpu::stream(to, block.values, sizeof block);
      else for (uint lane = 0; lane < done.count; ++lane) to[lane] = block.values[lane];
    }
    if (last) {
      out.block = out.row;
      out.step = 1;
    }
    rest.finish(done, last, others...);
  }
};
template <typename... Fed> Blocks<Fed...> blocks_of(thread Fed&...);

// The blocks of a tile: whole ones, then what is left.
struct Walk {
  uint start, end;
  template <typename Blocks, typename... Fed>
  METAL_FUNC Walk(uint start_, uint count, thread Blocks& blocks, thread Fed&... fed) : start(start_), end(start_ + count) {
    blocks.begin(start > 0, fed...);
  }
  METAL_FUNC uint count(bool whole) const { return whole ? ROW_LANES : end - start; }
  METAL_FUNC bool enter(bool whole) const { return whole ? end - start >= ROW_LANES : end > start; }
  template <typename Blocks, typename... Fed> METAL_FUNC void leave(bool whole, thread Blocks& blocks, thread Fed&... fed) {
    const ColumnBlock done = {start, count(whole)};
    start += done.count;
    blocks.finish(done, start == end, fed...);
  }
};

} // namespace metile

// Two copies of the body, one with a constant trip count, so that compilers make straight vector code of it: the loop over
// kinds of block is unrolled before the one over lanes is vectorised.
#ifdef __clang__
#define ROW_KINDS _Pragma("clang loop unroll(full)")
#define ROW_VECTOR _Pragma("clang loop vectorize(assume_safety) vectorize_width(16) interleave_count(2) unroll(disable)")
#else
#define ROW_KINDS _Pragma("GCC unroll 2")
#define ROW_VECTOR _Pragma("GCC ivdep")
#endif
#define FOR_COLUMNS(i, columns, ...) \
  if (decltype(metile::blocks_of(__VA_ARGS__)) i##_blocks; false) {} /* an else after the body is not ours */ else \
  if (metile::Walk i##_walk((columns).start, (columns).count, i##_blocks, ##__VA_ARGS__); false) {} else \
  ROW_KINDS for (uint i##_rest = 0; i##_rest < 2; ++i##_rest) \
  for (; i##_walk.enter(!i##_rest); i##_walk.leave(!i##_rest, i##_blocks, ##__VA_ARGS__)) \
  ROW_VECTOR for (uint i##_lane = 0; i##_lane < i##_walk.count(!i##_rest); ++i##_lane) \
  if (const Column i(i##_walk.start, i##_lane); false) {} else
