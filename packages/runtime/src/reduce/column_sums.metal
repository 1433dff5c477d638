#include "metile/row.h"

// total[column] = Σ over part < part_count of parts[offset + part · stride + column]: what the threadgroups of a backward pass
// left, in a fixed order. A CPU's threadgroup takes a tile of columns; a GPU's takes 32, its simdgroups take turns with the parts.
kernel void column_sums(
    device const float* parts [[buffer(0)]],
    device STORAGE* total [[buffer(1)]],
    constant uint& part_count [[buffer(2)]],
    constant uint& width [[buffer(3)]],
    constant ulong& stride [[buffer(4)]],
    constant ulong& offset [[buffer(5)]],
    ROW_ARGS) {
#ifdef METILE_CPU
  const uint first = group * 512, last = min(first + 512, width);
  float sums[512];
  for (uint i = 0; i < 512; ++i) sums[i] = 0.0f;
  for (uint part = 0; part < part_count; ++part) {
    device const float* row = parts + offset + part * stride + first;
    METAL_INDEPENDENT for (uint i = 0; i < last - first; ++i) sums[i] += row[i];
  }
  METAL_INDEPENDENT for (uint i = 0; i < last - first; ++i) total[first + i] = STORAGE(sums[i]);
#else
  threadgroup float sums[32][33]; // a column more than 32, so that columns fall into different banks
  const uint column = group * 32 + lane;
  const uint step = ROW_THREADS / 32;
  float sum = 0.0f;
  if (column < width) {
    device const float* first = parts + offset + column;
    uint part = simdgroup;
    for (; part + 3 * step < part_count; part += 4 * step) { // four loads under way at a time
      const float a = first[part * stride], b = first[(part + step) * stride];
      const float c = first[(part + 2 * step) * stride], d = first[(part + 3 * step) * stride];
      sum += (a + b) + (c + d);
    }
    for (; part < part_count; part += step) sum += first[part * stride];
  }
  sums[simdgroup][lane] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simdgroup == 0 && column < width) {
    for (uint i = 1; i < step; ++i) sum += sums[i][lane];
    total[column] = STORAGE(sum);
  }
#endif
}
