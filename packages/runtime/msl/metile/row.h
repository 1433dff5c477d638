// Rows of a matrix: moved in packets on a GPU, walked in plain loops on a CPU, computed on in float.
//
// A kernel names the rows its threadgroup works on (Rows) and the columns (Columns), binds inputs (Row, Weight,
// RowValues), outputs (RowOut) and sums over rows (ColumnSums) to them, and walks columns with FOR_COLUMNS:
//
//   Team team(scratch, lane, simdgroup);
//   Rows rows(row_count, group, groups);
//   Columns columns(width, tid);
//   Row<STORAGE> x(source, columns, source_stride);
//   Weight<PARAMETER> w(weight, columns, has_weight, Absent::ones);
//   RowOut<STORAGE> y(output, columns, width, rows);
//   x.fetch(rows.first, rows);
//   FOR_ROWS(row, rows) {
//     x.open(row);
//     y.open(row);
//     Sum squares;
//     FOR_TILES(columns) FOR_COLUMNS(i, columns, squares) squares.add(i, x[i], x[i]);
//     x.fetch(row + rows.step, rows);
//     float scale = rsqrt(team.sum(squares) / float(width) + epsilon);
//     FOR_TILES_AGAIN(columns) FOR_COLUMNS(i, columns, y, x) y.set(i, x[i] * scale * w[i]);
//   }
//
// Rules, for both targets:
// - FOR_COLUMNS(i, columns, …) body: after the columns everything that the body feeds (outputs, sums) and the rows that were
//   fetched before it. On a CPU, outputs too large for the caches then bypass them and the next rows arrive meanwhile; what
//   is left out is computed all the same. The body reads each row unconditionally and makes no run-time choice that is the
//   same for all columns (compilers would copy the loop for either answer): choose around the loop, or by rounded_if.
//   `i` serves x[i], set(i, value), add(i, value), add(i, a, b) for a fused a · b, and columns[i], the number of the column.
// - A Sum or Maximum is this thread's until team.sum or team.max; value() is its share, all there is on a CPU.
// - FOR_TILES goes over a row wider than a tile, FOR_TILES_AGAIN over the same row once more. Sums span tiles.
// - fetch(next row) once the registers of a row are done with: before the last reduction. Column sums in the first pass.
// - A row stride is in elements and apart from the width; 0 is the same row for all. Row(…, stride, present) reads as zeros
//   where its buffer is absent, Weight(…, present, Absent) as zeros or ones, at no cost to a column.
// - Widths up to 2^31; row times stride is computed in ulong.
//
// Set by the launcher (a CPU has ROW_THREADS 1 and ignores the rest; what is left out has a value that is always right):
//   ROW_THREADS      threads a threadgroup, a multiple of 32
//   ROW_PACKETS      packets a thread and tile; default 1
//   ROW_PACK         elements a packet, a power of two, at most 16; the same for all rows of a kernel: it divides the
//                    width and every stride, and every row buffer is aligned to min(16, ROW_PACK * element size) bytes.
//                    1 (default) is right for anything. Best: 16 bytes of the narrowest type
//   ROW_WIDE         0 when ROW_THREADS * ROW_PACKETS * ROW_PACK (a tile) is at least the width; 1 (default) is right always
//   ROW_EXACT        1 when a tile equals the width; 0 (default) is right always
//   ROW_KEEP         1 (default) holds a row in registers from open() on; 0 reads it again from cache after fetch()
//   ROW_KEEP_WEIGHT  1 (default) holds weights in registers; 0 reads them from cache at every use
//   ROW_PREFETCH     1 starts the next row's loads at fetch(); 0 (default) loads at open()
#pragma once
#include "metile/types.h"

#ifdef METILE_CPU
#include "metile/row_cpu.h"
#include "metile/reduce_cpu.h"
#else
#include "metile/row_gpu.h"
#include "metile/reduce_gpu.h"
#endif

#define FOR_ROWS(row, rows) for (uint row = (rows).first; row < (rows).end; row += (rows).step)

// What every row kernel receives besides its buffers.
#define ROW_ARGS threadgroup float* scratch [[threadgroup(0)]], \
  uint group [[threadgroup_position_in_grid]], uint groups [[threadgroups_per_grid]], \
  uint tid [[thread_position_in_threadgroup]], uint lane [[thread_index_in_simdgroup]], \
  uint simdgroup [[simdgroup_index_in_threadgroup]]
