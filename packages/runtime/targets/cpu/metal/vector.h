// Vectors of two to four elements: members by name, element-wise operators. Kernels compute on scalars, which compilers
// vectorise by columns; these carry indices, sizes and pairs.
#pragma once
#include "arithmetic.h"
#include "bfloat.h"

namespace metal {

template <typename T, int N> struct vec;
template <typename T> struct alignas(2 * sizeof(T)) vec<T, 2> {
  T x, y;
  vec() = default;
  METAL_FUNC vec(T all) : x(all), y(all) {}
  METAL_FUNC vec(T x_, T y_) : x(x_), y(y_) {}
  template <typename U> METAL_FUNC explicit vec(vec<U, 2> v) : x(T(v.x)), y(T(v.y)) {}
  METAL_FUNC T& operator[](int i) { return (&x)[i]; }
  METAL_FUNC T operator[](int i) const { return (&x)[i]; }
};
template <typename T> struct alignas(4 * sizeof(T)) vec<T, 3> {
  T x, y, z;
  vec() = default;
  METAL_FUNC vec(T all) : x(all), y(all), z(all) {}
  METAL_FUNC vec(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
  template <typename U> METAL_FUNC explicit vec(vec<U, 3> v) : x(T(v.x)), y(T(v.y)), z(T(v.z)) {}
  METAL_FUNC T& operator[](int i) { return (&x)[i]; }
  METAL_FUNC T operator[](int i) const { return (&x)[i]; }
};
template <typename T> struct alignas(4 * sizeof(T)) vec<T, 4> {
  T x, y, z, w;
  vec() = default;
  METAL_FUNC vec(T all) : x(all), y(all), z(all), w(all) {}
  METAL_FUNC vec(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}
  METAL_FUNC vec(vec<T, 2> low, vec<T, 2> high) : x(low.x), y(low.y), z(high.x), w(high.y) {}
  template <typename U> METAL_FUNC explicit vec(vec<U, 4> v) : x(T(v.x)), y(T(v.y)), z(T(v.z)), w(T(v.w)) {}
  METAL_FUNC T& operator[](int i) { return (&x)[i]; }
  METAL_FUNC T operator[](int i) const { return (&x)[i]; }
};

#define METAL_ELEMENTWISE(op) \
  template <typename T, int N> METAL_FUNC vec<T, N> operator op(vec<T, N> a, vec<T, N> b) { \
    for (int i = 0; i < N; ++i) a[i] = a[i] op b[i]; \
    return a; \
  } \
  template <typename T, int N> METAL_FUNC vec<T, N> operator op(vec<T, N> a, T b) { return a op vec<T, N>(b); } \
  template <typename T, int N> METAL_FUNC vec<T, N> operator op(T a, vec<T, N> b) { return vec<T, N>(a) op b; } \
  template <typename T, int N, typename U> METAL_FUNC vec<T, N>& operator op##=(vec<T, N>& a, U b) { return a = a op b; }
METAL_ELEMENTWISE(+) METAL_ELEMENTWISE(-) METAL_ELEMENTWISE(*) METAL_ELEMENTWISE(/)
#undef METAL_ELEMENTWISE

template <typename T, int N> METAL_FUNC T dot(vec<T, N> a, vec<T, N> b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < N; ++i) sum = sum + a[i] * b[i];
  return sum;
}

#define METAL_VECTORS(name, T) typedef vec<T, 2> name##2; typedef vec<T, 3> name##3; typedef vec<T, 4> name##4;
METAL_VECTORS(float, float) METAL_VECTORS(half, half) METAL_VECTORS(bfloat, bfloat)
METAL_VECTORS(int, int) METAL_VECTORS(uint, uint) METAL_VECTORS(long, long) METAL_VECTORS(ulong, ulong)
METAL_VECTORS(short, short) METAL_VECTORS(ushort, ushort) METAL_VECTORS(char, signed char) METAL_VECTORS(uchar, uchar)
METAL_VECTORS(bool, bool)
#undef METAL_VECTORS

} // namespace metal
#define METAL_GLOBAL(name) using metal::name##2; using metal::name##3; using metal::name##4;
METAL_GLOBAL(float) METAL_GLOBAL(half) METAL_GLOBAL(bfloat) METAL_GLOBAL(int) METAL_GLOBAL(uint) METAL_GLOBAL(long)
METAL_GLOBAL(ulong) METAL_GLOBAL(short) METAL_GLOBAL(ushort) METAL_GLOBAL(char) METAL_GLOBAL(uchar) METAL_GLOBAL(bool)
#undef METAL_GLOBAL
