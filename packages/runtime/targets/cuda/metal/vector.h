// Vectors of two to four elements: members by name, element-wise operators, comparisons. Of several members at once
// (v.xy) there are none.
#pragma once
#include "bfloat.h"
#include "integer.h"

namespace metal {

// Elements by number: choices, for an address would move the vector out of registers.
template <typename T, int N> struct vec;
template <typename T> struct alignas(2 * sizeof(T)) vec<T, 2> {
  T x, y;
  vec() = default;
  METAL_FUNC vec(T all) : x(all), y(all) {}
  METAL_FUNC vec(T x_, T y_) : x(x_), y(y_) {}
  template <typename U> METAL_FUNC explicit vec(vec<U, 2> v) : x(T(v.x)), y(T(v.y)) {}
  METAL_FUNC T& operator[](int i) { return i == 0 ? x : y; }
  METAL_FUNC T operator[](int i) const { return i == 0 ? x : y; }
};
template <typename T> struct alignas(4 * sizeof(T)) vec<T, 3> {
  T x, y, z;
  vec() = default;
  METAL_FUNC vec(T all) : x(all), y(all), z(all) {}
  METAL_FUNC vec(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
  METAL_FUNC vec(vec<T, 2> xy, T z_) : x(xy.x), y(xy.y), z(z_) {}
  template <typename U> METAL_FUNC explicit vec(vec<U, 3> v) : x(T(v.x)), y(T(v.y)), z(T(v.z)) {}
  METAL_FUNC T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  METAL_FUNC T operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
template <typename T> struct alignas(4 * sizeof(T)) vec<T, 4> {
  T x, y, z, w;
  vec() = default;
  METAL_FUNC vec(T all) : x(all), y(all), z(all), w(all) {}
  METAL_FUNC vec(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}
  METAL_FUNC vec(vec<T, 2> xy, vec<T, 2> zw) : x(xy.x), y(xy.y), z(zw.x), w(zw.y) {}
  METAL_FUNC vec(vec<T, 3> xyz, T w_) : x(xyz.x), y(xyz.y), z(xyz.z), w(w_) {}
  template <typename U> METAL_FUNC explicit vec(vec<U, 4> v) : x(T(v.x)), y(T(v.y)), z(T(v.z)), w(T(v.w)) {}
  METAL_FUNC T& operator[](int i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  METAL_FUNC T operator[](int i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
};

#define METAL_ELEMENTWISE(op) \
  template <typename T, int N> METAL_FUNC vec<T, N> operator op(vec<T, N> a, vec<T, N> b) { \
    for (int i = 0; i < N; ++i) a[i] = T(a[i] op b[i]); \
    return a; \
  } \
  template <typename T, int N> METAL_FUNC vec<T, N> operator op(vec<T, N> a, typename cuda::Exactly<T>::type b) { \
    return a op vec<T, N>(b); \
  } \
  template <typename T, int N> METAL_FUNC vec<T, N> operator op(typename cuda::Exactly<T>::type a, vec<T, N> b) { \
    return vec<T, N>(a) op b; \
  } \
  template <typename T, int N, typename U> METAL_FUNC vec<T, N>& operator op##=(vec<T, N>& a, U b) { return a = a op b; }
METAL_ELEMENTWISE(+) METAL_ELEMENTWISE(-) METAL_ELEMENTWISE(*) METAL_ELEMENTWISE(/) METAL_ELEMENTWISE(%)
METAL_ELEMENTWISE(&) METAL_ELEMENTWISE(|) METAL_ELEMENTWISE(^) METAL_ELEMENTWISE(<<) METAL_ELEMENTWISE(>>)
#undef METAL_ELEMENTWISE

#define METAL_COMPARISON(op) \
  template <typename T, int N> METAL_FUNC vec<bool, N> operator op(vec<T, N> a, vec<T, N> b) { \
    vec<bool, N> result; \
    for (int i = 0; i < N; ++i) result[i] = a[i] op b[i]; \
    return result; \
  } \
  template <typename T, int N> METAL_FUNC vec<bool, N> operator op(vec<T, N> a, typename cuda::Exactly<T>::type b) { \
    return a op vec<T, N>(b); \
  }
METAL_COMPARISON(==) METAL_COMPARISON(!=) METAL_COMPARISON(<) METAL_COMPARISON(<=) METAL_COMPARISON(>) METAL_COMPARISON(>=)
#undef METAL_COMPARISON

#define METAL_PREFIX(op) \
  template <typename T, int N> METAL_FUNC vec<T, N> operator op(vec<T, N> a) { \
    for (int i = 0; i < N; ++i) a[i] = T(op a[i]); \
    return a; \
  }
METAL_PREFIX(-) METAL_PREFIX(~) METAL_PREFIX(!)
#undef METAL_PREFIX

#define METAL_VECTORS(name, T) typedef vec<T, 2> name##2; typedef vec<T, 3> name##3; typedef vec<T, 4> name##4;
METAL_VECTORS(float, float) METAL_VECTORS(half, half) METAL_VECTORS(bfloat, bfloat)
METAL_VECTORS(int, int) METAL_VECTORS(uint, uint) METAL_VECTORS(long, long) METAL_VECTORS(ulong, ulong)
METAL_VECTORS(short, short) METAL_VECTORS(ushort, ushort) METAL_VECTORS(char, char) METAL_VECTORS(uchar, uchar)
METAL_VECTORS(bool, bool)
#undef METAL_VECTORS

} // namespace metal
