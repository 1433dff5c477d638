// Barriers and simd functions over the 32 lanes of a simdgroup. Sums go from lane 0 up.
#pragma once
#include "thread.h"

namespace metal {

enum class mem_flags : uint { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
METAL_FUNC mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags((uint)a | (uint)b); }
METAL_FUNC void threadgroup_barrier(mem_flags flags) { metile_barrier((uint)flags); }
METAL_FUNC void simdgroup_barrier(mem_flags flags) { metile_simdgroup_barrier((uint)flags); }

#define METAL_LANES(lanes, value) \
  static_assert(sizeof(value) <= 64, "simd functions take scalars and vectors"); \
  const MetileLanes* lanes = metile_exchange(&value, sizeof value)

template <typename T> T lane_value(const MetileLanes* lanes, uint lane) {
  T value;
  __builtin_memcpy(&value, lanes->values[lane], sizeof value);
  return value;
}
// Another lane's value; asking for one that takes no part is reported.
template <typename T> T lane_taken(const MetileLanes* lanes, uint lane, T own) {
  if (lane < 32 && lanes->active >> lane & 1) return lane_value<T>(lanes, lane);
  metile_lane_missing(lane);
  return own;
}

// The first lane to go on computes it for all. Not inlined: such code is long.
#define METAL_REDUCTION(name, expression) \
  template <typename T> inline __attribute__((noinline)) T name(T value) { \
    METAL_LANES(lanes, value); \
    if (lanes->kept) { \
      __builtin_memcpy(&value, lanes->result, sizeof value); \
      return value; \
    } \
    uint first = ctz(lanes->active); \
    T a = lane_value<T>(lanes, first); \
    for (uint lane = first + 1; lane < 32; ++lane) { \
      if (!(lanes->active >> lane & 1)) continue; \
      T b = lane_value<T>(lanes, lane); \
      a = expression; \
    } \
    metile_keep(lanes, &a, sizeof a); \
    return a; \
  }
METAL_REDUCTION(simd_sum, T(a + b))
METAL_REDUCTION(simd_product, T(a * b))
METAL_REDUCTION(simd_max, T(max(a, b)))
METAL_REDUCTION(simd_min, T(min(a, b)))
METAL_REDUCTION(simd_and, T(a & b))
METAL_REDUCTION(simd_or, T(a | b))
METAL_REDUCTION(simd_xor, T(a ^ b))
METAL_REDUCTION(simd_broadcast_first, a)
#undef METAL_REDUCTION

template <typename T> METAL_FUNC T simd_shuffle(T value, ushort lane) {
  METAL_LANES(lanes, value);
  return lane_taken(lanes, lane, value);
}
template <typename T> METAL_FUNC T simd_broadcast(T value, ushort lane) {
  METAL_LANES(lanes, value);
  return lane_taken(lanes, lane, value);
}
template <typename T> METAL_FUNC T simd_shuffle_xor(T value, ushort mask) {
  METAL_LANES(lanes, value);
  return lane_taken(lanes, metile_lane_index() ^ mask, value);
}
template <typename T> METAL_FUNC T simd_shuffle_down(T value, ushort delta) { // lanes at the end keep their own
  METAL_LANES(lanes, value);
  const uint lane = metile_lane_index() + delta;
  return lane < 32 ? lane_taken(lanes, lane, value) : value;
}
template <typename T> METAL_FUNC T simd_shuffle_up(T value, ushort delta) { // lanes at the start keep their own
  METAL_LANES(lanes, value);
  const uint lane = metile_lane_index();
  return lane >= delta ? lane_taken(lanes, lane - delta, value) : value;
}
template <typename T> METAL_FUNC T simd_prefix_exclusive_sum(T value) {
  METAL_LANES(lanes, value);
  T sum = T(0);
  for (uint lane = 0; lane < metile_lane_index(); ++lane) {
    if (lanes->active >> lane & 1) sum = T(sum + lane_value<T>(lanes, lane));
  }
  return sum;
}
template <typename T> METAL_FUNC T simd_prefix_inclusive_sum(T value) { return T(simd_prefix_exclusive_sum(value) + value); }
METAL_FUNC bool simd_all(bool value) { return simd_min((uint)value) != 0; }
METAL_FUNC bool simd_any(bool value) { return simd_max((uint)value) != 0; }
METAL_FUNC bool simd_is_first() {
  uint none = 0;
  METAL_LANES(lanes, none);
  return metile_lane_index() == ctz(lanes->active);
}

} // namespace metal
