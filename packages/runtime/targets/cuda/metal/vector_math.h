// Functions of vectors: the scalars' element by element, and the few that join elements.
#pragma once
#include "precision.h"
#include "vector.h"

namespace metal {

#define METAL_LIFT_1(name) \
  template <int N> METAL_FUNC vec<float, N> name(vec<float, N> a) { \
    for (int i = 0; i < N; ++i) a[i] = name(a[i]); \
    return a; \
  }
METAL_LIFT_1(abs) METAL_LIFT_1(fabs) METAL_LIFT_1(floor) METAL_LIFT_1(ceil) METAL_LIFT_1(trunc) METAL_LIFT_1(rint)
METAL_LIFT_1(round) METAL_LIFT_1(fract) METAL_LIFT_1(sign) METAL_LIFT_1(saturate) METAL_LIFT_1(sqrt) METAL_LIFT_1(rsqrt)
METAL_LIFT_1(exp) METAL_LIFT_1(exp2) METAL_LIFT_1(log) METAL_LIFT_1(log2) METAL_LIFT_1(sin) METAL_LIFT_1(cos) METAL_LIFT_1(tanh)
#undef METAL_LIFT_1

#define METAL_LIFT_2(name) \
  template <typename T, int N> METAL_FUNC vec<T, N> name(vec<T, N> a, vec<T, N> b) { \
    for (int i = 0; i < N; ++i) a[i] = name(a[i], b[i]); \
    return a; \
  }
METAL_LIFT_2(max) METAL_LIFT_2(min) METAL_LIFT_2(fmax) METAL_LIFT_2(fmin) METAL_LIFT_2(pow) METAL_LIFT_2(powr)
METAL_LIFT_2(fmod) METAL_LIFT_2(copysign) METAL_LIFT_2(step) METAL_LIFT_2(absdiff) METAL_LIFT_2(mulhi)
#undef METAL_LIFT_2

#define METAL_LIFT_3(name) \
  template <typename T, int N> METAL_FUNC vec<T, N> name(vec<T, N> a, vec<T, N> b, vec<T, N> c) { \
    for (int i = 0; i < N; ++i) a[i] = name(a[i], b[i], c[i]); \
    return a; \
  }
METAL_LIFT_3(fma) METAL_LIFT_3(mix) METAL_LIFT_3(clamp)
#undef METAL_LIFT_3
template <typename T, int N> METAL_FUNC vec<T, N> clamp(vec<T, N> value, typename cuda::Exactly<T>::type low, typename cuda::Exactly<T>::type high) {
  return clamp(value, vec<T, N>(low), vec<T, N>(high));
}

#define METAL_CLASS(name) \
  template <int N> METAL_FUNC vec<bool, N> name(vec<float, N> a) { \
    vec<bool, N> result; \
    for (int i = 0; i < N; ++i) result[i] = name(a[i]); \
    return result; \
  }
METAL_CLASS(isnan) METAL_CLASS(isinf) METAL_CLASS(isfinite) METAL_CLASS(signbit)
#undef METAL_CLASS

template <typename T, int N> METAL_FUNC vec<T, N> select(vec<T, N> otherwise, vec<T, N> chosen, vec<bool, N> condition) {
  for (int i = 0; i < N; ++i) otherwise[i] = condition[i] ? chosen[i] : otherwise[i];
  return otherwise;
}
template <int N> METAL_FUNC bool all(vec<bool, N> a) {
  bool result = true;
  for (int i = 0; i < N; ++i) result = result && a[i];
  return result;
}
template <int N> METAL_FUNC bool any(vec<bool, N> a) {
  bool result = false;
  for (int i = 0; i < N; ++i) result = result || a[i];
  return result;
}
METAL_FUNC bool all(bool a) { return a; }
METAL_FUNC bool any(bool a) { return a; }

template <typename T, int N> METAL_FUNC T dot(vec<T, N> a, vec<T, N> b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < N; ++i) sum = T(sum + a[i] * b[i]);
  return sum;
}
template <int N> METAL_FUNC float length(vec<float, N> a) { return sqrt(dot(a, a)); }
template <int N> METAL_FUNC vec<float, N> normalize(vec<float, N> a) { return a * rsqrt(dot(a, a)); }

} // namespace metal
