// packed_float3 and its like: vectors in memory without padding, aligned to an element. They compute as vectors do.
#pragma once
#include "vector.h"

namespace metal {

template <typename T, int N> struct packed_vec {
  T elements[N];
  packed_vec() = default;
  METAL_FUNC packed_vec(vec<T, N> v) {
    for (int i = 0; i < N; ++i) elements[i] = v[i];
  }
  METAL_FUNC operator vec<T, N>() const {
    vec<T, N> v;
    for (int i = 0; i < N; ++i) v[i] = elements[i];
    return v;
  }
  METAL_FUNC T& operator[](int i) { return elements[i]; }
  METAL_FUNC T operator[](int i) const { return elements[i]; }
};

#define METAL_PACKED(name) \
  typedef packed_vec<name, 2> packed_##name##2; \
  typedef packed_vec<name, 3> packed_##name##3; \
  typedef packed_vec<name, 4> packed_##name##4;
METAL_PACKED(float) METAL_PACKED(half) METAL_PACKED(bfloat) METAL_PACKED(int) METAL_PACKED(uint) METAL_PACKED(long)
METAL_PACKED(ulong) METAL_PACKED(short) METAL_PACKED(ushort) METAL_PACKED(char) METAL_PACKED(uchar) METAL_PACKED(bool)
#undef METAL_PACKED

} // namespace metal
