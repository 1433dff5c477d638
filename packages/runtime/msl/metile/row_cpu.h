// Rows on a CPU: one thread owns every column, a row is a pointer, FOR_COLUMNS is a loop over blocks of ROW_LANES columns
// (block_cpu.h). See row.h for how kernels use this.
#pragma once
#include "metile/block_cpu.h"

#define ROW_TILE 4096 /* columns: a tile of floats and what is computed from it stay in the first cache */
#define FOR_TILES(columns) for ((columns).first(); (columns).inside(); (columns).next())
#define FOR_TILES_AGAIN(columns) FOR_TILES(columns) /* forwards: the hardware prefetches that way */

struct Rows { // neighbouring rows: the hardware prefetches from one into the next
  uint first, end, step, count;
  METAL_FUNC Rows(uint count_, uint group, uint groups) : step(1), count(count_) {
    uint each = (count + groups - 1) / groups;
    first = (uint)min((ulong)group * each, (ulong)count);
    end = (uint)min((ulong)first + each, (ulong)count);
  }
};

struct Columns { // the current tile of a row: count columns from start on
  uint width, start, count;
  METAL_FUNC Columns(uint width_, uint) : width(width_) { first(); }
  METAL_FUNC Columns(uint width_, uint, uint tile) : width(width_) { at(tile * ROW_TILE); }
  METAL_FUNC void at(uint start_) {
    start = start_;
    count = start < width ? min((uint)ROW_TILE, width - start) : 0;
  }
  METAL_FUNC void first() { at(0); }
  METAL_FUNC bool inside() const { return count > 0; }
  METAL_FUNC void next() { at(start + count); }
  METAL_FUNC uint operator[](Column i) const { return i.start + i.lane; }
  METAL_FUNC bool owns(uint column) const { return column - start < count; }
};

template <uint count> struct RowValues { // count floats a row
  device const float* base;
  device const float* values;
  METAL_FUNC explicit RowValues(device const float* values_) : base(values_), values(values_) {}
  METAL_FUNC void fetch(uint, Rows) {}
  METAL_FUNC void open(uint row) { values = base + (ulong)row * count; }
  METAL_FUNC float operator[](uint i) const { return values[i]; }
};

// An absent buffer is a block that every block of columns finds again: step 0. So no column asks which it is.
template <typename E> struct Row {
  device const E* base;
  device const E* row;
  device const E* ahead; // the next row, brought into cache by a loop that lists this one
  ulong stride, step;
  METAL_FUNC Row(device const E* source, Columns, ulong stride_, bool present = true, Absent absent = Absent::zeros)
      : base(present ? source : metile::absent_block<E>(absent)), row(base), ahead(base), stride(present ? stride_ : 0), step(present) {}
  METAL_FUNC void fetch(uint index, Rows rows) { ahead = index < rows.end ? base + index * stride : row; }
  METAL_FUNC void open(uint index) { row = base + index * stride; }
  METAL_FUNC float operator[](Column i) const { return float((row + i.start * step)[i.lane]); }
};

template <typename E> struct Weight : Row<E> { // the same row for all
  METAL_FUNC Weight(device const E* source, Columns columns, bool present, Absent absent)
      : Row<E>(source, columns, 0, present, absent) {}
};

template <typename E> struct RowOut {
  device E* base;
  device E* row;
  device E* block; // where the current loop writes: in place, or to a block that is streamed out or dropped (step 0)
  ulong stride, step;
  bool present, streams;
  METAL_FUNC RowOut(device E* target, Columns, ulong stride_, Rows rows, bool present_ = true)
      : base(target), row(target), block(target), stride(stride_), step(1), present(present_),
        streams(present_ && metile::worth_streaming(target, stride_, sizeof(E), rows.count)) {}
  METAL_FUNC ~RowOut() { if (streams) metal::cpu::stream_end(); }
  METAL_FUNC void open(uint index) { row = block = base + index * stride; }
  METAL_FUNC void set(Column i, float value) { (block + i.start * step)[i.lane] = E(value); }
};

struct ColumnSums { // sums over the rows of this threadgroup, kept in row `index` of target; spare takes what nobody wants
  device float* sums;
  ulong step;
  METAL_FUNC ColumnSums(device float* target, Columns columns, uint index, bool present, threadgroup float* spare)
      : sums(present ? target + (ulong)index * columns.width : spare), step(present) {
    for (uint i = 0; i < (present ? columns.width : (uint)ROW_LANES); ++i) sums[i] = 0.0f;
  }
  METAL_FUNC void add(Column i, float value) { (sums + i.start * step)[i.lane] += value; }
  METAL_FUNC void add(Column i, float a, float b) { // a * b, unrounded
    device float* block = sums + i.start * step;
    block[i.lane] = fma(a, b, block[i.lane]);
  }
  METAL_FUNC void store() {}
};
