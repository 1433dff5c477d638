// log, log2, log10, log1p: within 1 ulp (log10 and log1p 1.5) over all positive floats, denormals too; -infinity at 0, NaN below
// it, infinity and NaN kept.
#pragma once
#include "arithmetic.h"

namespace metal {
namespace detail {

struct Logarithm { // log(x) = exponent * ln 2 + f - f * f / 2 + tail, where 1 + f is x scaled into [sqrt(1/2), sqrt(2))
  float exponent, f, tail;
  METAL_FUNC explicit Logarithm(float x) {
    bool small = x < FLT_MIN;
    uint bits = as_type<uint>(small ? x * 0x1p23f : x) - 0x3f3504f3u;
    exponent = (float)((int)bits >> 23) - (small ? 23.0f : 0.0f);
    f = as_type<float>((bits & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
    float p = fma(-0.07634497434f, f, 0.1276157796f);
    p = fma(p, f, -0.1316018254f);
    p = fma(p, f, 0.1420175731f);
    p = fma(p, f, -0.1662335694f);
    p = fma(p, f, 0.2000122666f);
    p = fma(p, f, -0.2500081956f);
    p = fma(p, f, 0.3333333135f);
    tail = p * f * (f * f);
  }
};
METAL_FUNC float logarithm_edges(float x, float value) {
  value = x < INFINITY ? value : x; // infinity and NaN
  return x > 0.0f ? value : x == 0.0f ? -INFINITY : x != x ? x : NAN;
}

} // namespace detail

METAL_FUNC float log(float x) {
  detail::Logarithm l(x);
  float small = fma(l.exponent, 1.42860677e-6f, fma(-0.5f * l.f, l.f, l.tail));
  return detail::logarithm_edges(x, fma(l.exponent, 0.693145752f, l.f + small));
}

METAL_FUNC float log2(float x) {
  detail::Logarithm l(x);
  float small = fma(-0.5f * l.f, l.f, l.tail);
  // log2 e in two parts: the first product is exact when its rounding error goes along
  float high = l.f * M_LOG2E_F, low = fma(l.f, M_LOG2E_F, -high);
  low = fma(l.f, 1.92596299e-8f, fma(small, M_LOG2E_F, low));
  return detail::logarithm_edges(x, l.exponent + (high + low));
}

METAL_FUNC float log10(float x) {
  detail::Logarithm l(x);
  float small = fma(l.exponent, 4.60503846e-6f, fma(-0.5f * l.f, l.f, l.tail) * M_LOG10E_F);
  float high = l.f * M_LOG10E_F, low = fma(l.f, M_LOG10E_F, -high);
  return detail::logarithm_edges(x, fma(l.exponent, 0.301025391f, high + (low + small)));
}

METAL_FUNC float log1p(float x) {
  float sum = 1.0f + x, lost = x - (sum - 1.0f);
  float value = log(sum);
  return (sum > 0.0f) & (sum < INFINITY) ? value + lost / sum : value;
}

} // namespace metal
