// Rows on a GPU: a thread holds its packets of a row in registers between passes, or reads them again from cache.
// See row.h for how kernels use this and for the macros.
#pragma once
#include "metile/columns_gpu.h"

template <uint count> struct RowValues { // count floats a row
  device const float* base;
  float now[count], next[count];
  METAL_FUNC explicit RowValues(device const float* values) : base(values) {}
  METAL_FUNC void fetch(uint row, Rows rows) {
    if (ROW_PREFETCH && row < rows.end) {
      UNROLL for (uint i = 0; i < count; ++i) next[i] = base[(ulong)row * count + i];
    }
  }
  METAL_FUNC void open(uint row) {
    UNROLL for (uint i = 0; i < count; ++i) now[i] = ROW_PREFETCH ? next[i] : base[(ulong)row * count + i];
  }
  METAL_FUNC float operator[](uint i) const { return now[i]; }
};

// hold: in registers from open() to the first fetch() after it; keep: past that too; prefetch: loaded at fetch().
template <typename E, bool hold, bool keep, bool prefetch> struct Tile {
  device const E* base;
  device const E* row;
  ulong stride;
  bool present;
  float absent;
  BoundColumns columns;
  Packet<E> now[hold ? ROW_PACKETS : 1];
  Packet<E> next[hold && keep && prefetch ? ROW_PACKETS : 1];
  Packet<E> passing;
  bool held; // known at compile time once inlined

  METAL_FUNC Tile(device const E* source, thread const Columns& columns_, ulong stride_, bool present_, Absent absent_)
      : base(source), row(source), stride(stride_), present(present_), absent(absent_ == Absent::ones ? 1.0f : 0.0f),
        columns(columns_), held(false) {}
  METAL_FUNC void read(thread Packet<E>& packet, device const E* from, uint k) {
    if (present) packet.load(from + columns.at(k));
    else packet.fill(absent);
  }
  METAL_FUNC void fetch(uint index, Rows rows) {
    if (!keep) held = false;
    if (hold && prefetch && index < rows.end) {
      device const E* from = base + index * stride;
      FOR_PACKETS(k, columns) read(keep ? next[hold && keep && prefetch ? k : 0] : now[hold ? k : 0], from, k);
    }
  }
  METAL_FUNC void open(uint index) {
    row = base + index * stride;
    held = hold;
    if (!hold) return;
    if (!prefetch) {
      FOR_PACKETS(k, columns) read(now[hold ? k : 0], row, k);
    } else if (keep) {
      UNROLL for (uint k = 0; k < ROW_PACKETS; ++k) now[hold ? k : 0] = next[hold && keep && prefetch ? k : 0];
    }
  }
  METAL_FUNC float operator[](uint i) { // the slots of a packet come in order: its first one brings it in
    const uint k = i / ROW_PACK, j = i % ROW_PACK;
    if (!held) {
      if (j == 0) read(passing, row, k);
      return passing.get(j);
    }
    if (j == 0 && keep) now[hold ? k : 0].renew();
    return now[hold ? k : 0].get(j);
  }
};

template <typename E> struct Row : Tile<E, !ROW_WIDE, ROW_KEEP, ROW_PREFETCH> {
  METAL_FUNC Row(device const E* source, thread const Columns& columns, ulong stride, bool present = true, Absent absent = Absent::zeros)
      : Tile<E, !ROW_WIDE, ROW_KEEP, ROW_PREFETCH>(source, columns, stride, present, absent) {}
};
template <typename E> struct Weight : Tile<E, ROW_KEEP_WEIGHT && !ROW_WIDE, true, false> { // the same row for all
  METAL_FUNC Weight(device const E* source, thread const Columns& columns, bool present, Absent absent)
      : Tile<E, ROW_KEEP_WEIGHT && !ROW_WIDE, true, false>(source, columns, 0, present, absent) {
    this->open(0);
  }
};

template <typename E> struct RowOut { // collects a packet, writes it at its last element
  device E* base;
  device E* row;
  ulong stride;
  bool present;
  BoundColumns columns;
  float values[ROW_PACK];
  METAL_FUNC RowOut(device E* target, thread const Columns& columns_, ulong stride_, Rows, bool present_ = true)
      : base(target), row(target), stride(stride_), present(present_), columns(columns_) {}
  METAL_FUNC void open(uint index) { row = base + index * stride; }
  METAL_FUNC void set(uint i, float value) {
    values[i % ROW_PACK] = value;
    if (i % ROW_PACK == ROW_PACK - 1 && present) {
      Packet<E> packet;
      packet.set(values);
      packet.store(row + columns.at(i / ROW_PACK));
    }
  }
};

struct ColumnSums { // sums over the rows of this threadgroup, for row `index` of target: in registers, or in it where rows are wide
  device float* sums;
  bool present;
  BoundColumns columns;
  float values[ROW_WIDE ? ROW_PACK : ROW_SLOTS];
  METAL_FUNC ColumnSums(device float* target, thread const Columns& columns_, uint index, bool present_, threadgroup float*)
      : sums(target + (ulong)index * columns_.width), present(present_), columns(columns_) {
    UNROLL for (uint i = 0; i < (ROW_WIDE ? ROW_PACK : ROW_SLOTS); ++i) values[i] = 0.0f;
    if (ROW_WIDE && present) {
      for (uint at = columns_.tid * ROW_PACK; at < columns_.width; at += ROW_THREADS * ROW_PACK) write(at, 0);
    }
  }
  METAL_FUNC void write(uint at, uint first) {
    Packet<float> packet;
    packet.set(values + first);
    packet.store(sums + at);
  }
  METAL_FUNC void add(uint i, float value) { add(i, value, 1.0f); }
  METAL_FUNC void add(uint i, float a, float b) { // a * b, unrounded
    if (!ROW_WIDE) {
      values[ROW_WIDE ? 0 : i] = fma(a, b, values[ROW_WIDE ? 0 : i]);
    } else if (present) { // a column belongs to the same thread in every row
      const uint j = i % ROW_PACK, at = columns.at(i / ROW_PACK);
      if (j == 0) {
        Packet<float> packet;
        packet.load(sums + at);
        UNROLL for (uint k = 0; k < ROW_PACK; ++k) values[k] = packet.get(k);
      }
      values[j] = fma(a, b, values[j]);
      if (j == ROW_PACK - 1) write(at, 0);
    }
  }
  METAL_FUNC void store() {
    if (!ROW_WIDE && present) {
      FOR_PACKETS(k, columns) write(columns.at(k), ROW_WIDE ? 0 : k * ROW_PACK);
    }
  }
};
