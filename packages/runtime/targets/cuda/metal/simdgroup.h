// Reductions and prefixes over a simdgroup. Every thread learns a reduction's result, and all learn the same bits.
#pragma once
#include "shuffle.h"
#include "precision.h"

namespace metal {
namespace cuda {

struct Plus { template <typename T> METAL_FUNC T operator()(T a, T b) const { return T(a + b); } };
struct Times { template <typename T> METAL_FUNC T operator()(T a, T b) const { return T(a * b); } };
struct Greater { template <typename T> METAL_FUNC T operator()(T a, T b) const { return T(metal::max(a, b)); } };
struct Less { template <typename T> METAL_FUNC T operator()(T a, T b) const { return T(metal::min(a, b)); } };
struct And { template <typename T> METAL_FUNC T operator()(T a, T b) const { return T(a & b); } };
struct Or { template <typename T> METAL_FUNC T operator()(T a, T b) const { return T(a | b); } };
struct ExclusiveOr { template <typename T> METAL_FUNC T operator()(T a, T b) const { return T(a ^ b); } };

template <typename T, typename Join> METAL_FUNC T reduced(T value, Join join) {
  const uint count = lanes();
  if (count == 32) {
#pragma unroll
    for (uint step = 16; step > 0; step /= 2) value = join(value, simd_shuffle_xor(value, (ushort)step));
    return value;
  }
  for (uint step = 16; step > 0; step /= 2) { // lane 0 collects what there is
    const T other = simd_shuffle_down(value, (ushort)step);
    if (lane() + step < count) value = join(value, other);
  }
  return simd_broadcast_first(value);
}

template <typename T, typename Join> METAL_FUNC T prefix(T value, Join join) {
#pragma unroll
  for (uint step = 1; step < 32; step *= 2) {
    const T other = simd_shuffle_up(value, (ushort)step);
    if (lane() >= step) value = join(other, value);
  }
  return value;
}

} // namespace cuda

#define METAL_REDUCTION(name, join) \
  template <typename T> METAL_FUNC T simd_##name(T value) { return cuda::reduced(value, cuda::join()); } \
  template <typename T> METAL_FUNC T quad_##name(T value) { \
    value = cuda::join()(value, quad_shuffle_xor(value, 1)); \
    return cuda::join()(value, quad_shuffle_xor(value, 2)); \
  }
METAL_REDUCTION(sum, Plus) METAL_REDUCTION(product, Times) METAL_REDUCTION(max, Greater) METAL_REDUCTION(min, Less)
METAL_REDUCTION(and, And) METAL_REDUCTION(or, Or) METAL_REDUCTION(xor, ExclusiveOr)
#undef METAL_REDUCTION

// Whole numbers of 32 bits have an instruction.
#define METAL_REDUCTION(name, T, instruction) \
  METAL_FUNC T simd_##name(T value) { \
    T result; \
    asm volatile("redux.sync." instruction " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(cuda::everyone())); \
    return result; \
  }
METAL_REDUCTION(sum, uint, "add.u32") METAL_REDUCTION(max, uint, "max.u32") METAL_REDUCTION(min, uint, "min.u32")
METAL_REDUCTION(sum, int, "add.s32") METAL_REDUCTION(max, int, "max.s32") METAL_REDUCTION(min, int, "min.s32")
METAL_REDUCTION(and, uint, "and.b32") METAL_REDUCTION(or, uint, "or.b32") METAL_REDUCTION(xor, uint, "xor.b32")
#undef METAL_REDUCTION

#define METAL_PREFIX(name, join, neutral) \
  template <typename T> METAL_FUNC T simd_prefix_inclusive_##name(T value) { return cuda::prefix(value, cuda::join()); } \
  template <typename T> METAL_FUNC T simd_prefix_exclusive_##name(T value) { \
    const T before = simd_shuffle_up(simd_prefix_inclusive_##name(value), 1); \
    return cuda::lane() == 0 ? T(neutral) : before; \
  }
METAL_PREFIX(sum, Plus, 0) METAL_PREFIX(product, Times, 1)
#undef METAL_PREFIX

} // namespace metal
