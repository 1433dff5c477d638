#include "metile/convert.h"

#pragma metile type FROM(float, half, bfloat, int, uint, bool)
#pragma metile type TO(float, half, bfloat, int, uint, bool)

// target[Σ index · target stride] = source[Σ index · source stride] converted, over all indices of up to eight dimensions.
// Dimension 7 is innermost; unused ones, outermost, have size 1. The stride of a dimension is in elements and may be 0 in
// the source.
//
// A CPU's threadgroup takes a run of neighbours in row-major order and walks it row by row, so that only its first element is
// divided into indices; the threads of a GPU take turns with the elements and divide each.
struct Place { // an element by its indices, and where that lies
  ulong index[8], source, target;
};

METAL_FUNC Place place_of(ulong at, thread const ulong* sizes, thread const ulong* from, thread const ulong* to) {
  Place place;
  place.source = place.target = 0;
  for (int d = 7; d >= 0; --d) {
    place.index[d] = at % sizes[d];
    at /= sizes[d];
    place.source += place.index[d] * from[d];
    place.target += place.index[d] * to[d];
  }
  return place;
}

#ifdef METILE_CPU
#define ROLLED _Pragma("clang loop unroll(disable)") /* unrolled it is no faster, and there are 36 variants */

METAL_FUNC void advance(thread Place& place, int d, ulong steps, thread const ulong* sizes, thread const ulong* from, thread const ulong* to) {
  place.index[d] += steps;
  place.source += steps * from[d];
  place.target += steps * to[d];
  for (; d > 0 && place.index[d] == sizes[d]; --d) {
    place.index[d] = 0;
    place.index[d - 1] += 1;
    place.source += from[d - 1] - sizes[d] * from[d];
    place.target += to[d - 1] - sizes[d] * to[d];
  }
}

METAL_FUNC void copy_run(device const FROM* source, ulong from, device TO* target, ulong to, ulong run) {
  if (from == 1 && to == 1) {
    METAL_INDEPENDENT for (ulong i = 0; i < run; ++i) target[i] = Convert<TO>::from(stored(source, i));
  } else {
    ROLLED for (ulong i = 0; i < run; ++i) target[i * to] = Convert<TO>::from(stored(source, i * from));
  }
}

// TURN rows of `run` elements each, whose neighbours in the source are the rows: by squares, so that both sides move in
// whole cache lines.
#define TURN 16
METAL_FUNC void turn_rows(device const FROM* source, ulong from, device TO* target, ulong to, ulong run) {
  TO square[TURN][TURN];
  ulong at = 0;
  for (; at + TURN <= run; at += TURN) {
    ROLLED for (uint i = 0; i < TURN; ++i) {
      for (uint row = 0; row < TURN; ++row) square[row][i] = Convert<TO>::from(stored(source, (at + i) * from + row));
    }
    ROLLED for (uint row = 0; row < TURN; ++row) {
      for (uint i = 0; i < TURN; ++i) target[row * to + at + i] = square[row][i];
    }
  }
  ROLLED for (; at < run; ++at) {
    ROLLED for (uint row = 0; row < TURN; ++row) target[row * to + at] = Convert<TO>::from(stored(source, at * from + row));
  }
}
#endif

kernel void strided_copy(
    device const FROM* source [[buffer(0)]],
    device TO* target [[buffer(1)]],
    constant ulong& count [[buffer(2)]],
    constant ulong4& sizes_outer [[buffer(3)]],
    constant ulong4& sizes_inner [[buffer(4)]],
    constant ulong4& source_strides_outer [[buffer(5)]],
    constant ulong4& source_strides_inner [[buffer(6)]],
    constant ulong4& target_strides_outer [[buffer(7)]],
    constant ulong4& target_strides_inner [[buffer(8)]],
    uint group [[threadgroup_position_in_grid]],
    uint groups [[threadgroups_per_grid]],
    uint tid [[thread_position_in_threadgroup]]) {
  ulong sizes[8], from[8], to[8];
  for (uint d = 0; d < 4; ++d) {
    sizes[d] = sizes_outer[d];
    sizes[d + 4] = sizes_inner[d];
    from[d] = source_strides_outer[d];
    from[d + 4] = source_strides_inner[d];
    to[d] = target_strides_outer[d];
    to[d + 4] = target_strides_inner[d];
  }
#ifdef METILE_CPU
  const bool turned = from[7] != 1 && from[6] == 1 && to[7] == 1 && sizes[6] >= TURN && sizes[7] >= TURN;
  const ulong unit = turned ? TURN * sizes[7] : 1, each = ((count + groups - 1) / groups + unit - 1) / unit * unit;
  const ulong last = min((group + 1) * each, count);
  ulong at = group * each;
  if (at >= last) return;
  Place place = place_of(at, sizes, from, to);
  while (at < last) {
    if (turned && place.index[7] == 0 && place.index[6] + TURN <= sizes[6] && last - at >= TURN * sizes[7]) {
      turn_rows(source + place.source, from[7], target + place.target, to[6], sizes[7]);
      advance(place, 6, TURN, sizes, from, to);
      at += TURN * sizes[7];
    } else {
      const ulong run = min(sizes[7] - place.index[7], last - at);
      copy_run(source + place.source, from[7], target + place.target, to[7], run);
      advance(place, 7, run, sizes, from, to);
      at += run;
    }
  }
#else
  for (ulong at = (ulong)group * ROW_THREADS + tid; at < count; at += (ulong)groups * ROW_THREADS) {
    const Place place = place_of(at, sizes, from, to);
    target[place.target] = Convert<TO>::from(stored(source, place.source));
  }
#endif
}
