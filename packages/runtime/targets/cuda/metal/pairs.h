// Two floats become two 16-bit floats in one instruction, and those one word in none.
#pragma once
#include "vector.h"

namespace metal {

#define METAL_PAIR(T, instruction) \
  template <> METAL_FUNC uint as_type<uint, vec<T, 2>>(vec<T, 2> both) { \
    return (uint)both.x.bits | (uint)both.y.bits << 16; \
  } \
  template <> METAL_FUNC vec<T, 2> as_type<vec<T, 2>, uint>(uint word) { \
    vec<T, 2> both; \
    both.x.bits = (ushort)word; \
    both.y.bits = (ushort)(word >> 16); \
    return both; \
  } \
  template <> template <> METAL_FUNC vec<T, 2>::vec(vec<float, 2> v) { \
    uint word; \
    asm(instruction " %0, %1, %2;" : "=r"(word) : "f"(v.y), "f"(v.x)); \
    *this = as_type<vec<T, 2>>(word); \
  }
METAL_PAIR(half, "cvt.rn.f16x2.f32")
METAL_PAIR(bfloat, "cvt.rn.bf16x2.f32")
#undef METAL_PAIR

} // namespace metal
