// Which rows and columns a thread of a GPU works on: every groups-th row, every ROW_THREADS-th packet of a tile.
// See row.h for how kernels use this.
#pragma once
#include "metile/packet.h"

// What a launcher leaves out is right for any row.
#ifndef ROW_PACKETS
#define ROW_PACKETS 1
#endif
#ifndef ROW_WIDE
#define ROW_WIDE 1
#endif
#ifndef ROW_EXACT
#define ROW_EXACT 0
#endif
#ifndef ROW_KEEP
#define ROW_KEEP 1
#endif
#ifndef ROW_KEEP_WEIGHT
#define ROW_KEEP_WEIGHT 1
#endif
#ifndef ROW_PREFETCH
#define ROW_PREFETCH 0
#endif
#define ROW_SLOTS (ROW_PACKETS * ROW_PACK) /* columns a thread and tile */
#define ROW_TILE (ROW_THREADS * ROW_SLOTS)

#if ROW_WIDE
#define FOR_TILES(columns) for ((columns).first(); (columns).inside(); (columns).next())
// Newest first: what is still in cache is met before it is evicted.
#define FOR_TILES_AGAIN(columns) for ((columns).last(); (columns).inside(); (columns).previous())
#else
#define FOR_TILES(columns)
#define FOR_TILES_AGAIN(columns)
#endif
#define FOR_PACKETS(k, columns) UNROLL for (uint k = 0; k < ROW_PACKETS; ++k) if (!(columns).holds(k)) {} else
#define FOR_COLUMNS(i, columns, ...) FOR_PACKETS(i##_packet, columns) \
  UNROLL for (uint i = i##_packet * ROW_PACK; i < i##_packet * ROW_PACK + ROW_PACK; ++i)

struct Rows {
  uint first, end, step, count;
  METAL_FUNC Rows(uint count_, uint group, uint groups) : first(group), end(count_), step(groups), count(count_) {}
};

struct Columns { // the tile of a row that starts at column `start`
  uint width, tid, start;
  METAL_FUNC Columns(uint width_, uint tid_) : width(width_), tid(tid_), start(0) {}
  METAL_FUNC Columns(uint width_, uint tid_, uint tile) : width(width_), tid(tid_), start(tile * ROW_TILE) {}
  METAL_FUNC void first() { start = 0; }
  METAL_FUNC void last() { start = (width - 1) / ROW_TILE * ROW_TILE; }
  METAL_FUNC bool inside() const { return start < width; }
  METAL_FUNC void next() { start += ROW_TILE; }
  METAL_FUNC void previous() { start -= ROW_TILE; } // past 0 it wraps around, which is not inside either
  METAL_FUNC uint at(uint k) const { return start + (tid + k * ROW_THREADS) * ROW_PACK; }
  METAL_FUNC bool holds(uint k) const { return ROW_EXACT || at(k) < width; }
  METAL_FUNC uint operator[](uint i) const { return at(i / ROW_PACK) + i % ROW_PACK; }
  METAL_FUNC bool owns(uint column) const {
    const uint packet = (column - start) / ROW_PACK - tid;
    return packet % ROW_THREADS == 0 && packet / ROW_THREADS < ROW_PACKETS;
  }
};

// Rows wider than a tile follow the kernel's walk over tiles; others have their one tile for good.
#if ROW_WIDE
typedef thread const Columns& BoundColumns;
#else
typedef const Columns BoundColumns;
#endif
