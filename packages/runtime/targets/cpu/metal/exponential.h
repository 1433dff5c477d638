// exp, exp2, exp10, expm1, tanh: within 1 ulp (exp10 and expm1 1.5, tanh 2.5), denormal results and overflow as IEEE has
// them, NaN kept.
//
// Each splits its argument into a whole number of halvings or doublings and a remainder within half of one; the whole
// number is read off the bits of a float that was pushed past 2^23, so that no conversion of an out-of-range value
// (undefined in C++) can occur. Coefficients: least maximum error over the remainder.
#pragma once
#include "arithmetic.h"

namespace metal {
namespace detail {

constexpr float to_whole = 12582912.0f; // 1.5 * 2^23: adding it leaves the nearest integer in the low bits

struct Halvings { // 2^power as two factors, so that a denormal result is rounded once
  float first, second;
  METAL_FUNC explicit Halvings(int power) {
    int half_power = power >> 1;
    first = as_type<float>((half_power + 127) << 23);
    second = as_type<float>((power - half_power + 127) << 23);
  }
};

// x = power * ln 2 + rest
METAL_FUNC int split_natural(float x, float& rest) {
  float pushed = fma(x, M_LOG2E_F, to_whole), whole = pushed - to_whole;
  rest = fma(whole, -1.42860677e-6f, fma(whole, -0.693145752f, x));
  return as_type<int>(pushed) - as_type<int>(to_whole);
}
// e^rest - 1 for |rest| <= ln 2 / 2
METAL_FUNC float exponential_rest(float rest) {
  float p = fma(0.001381459879f, rest, 0.008368716575f);
  p = fma(p, rest, 0.04166838899f);
  p = fma(p, rest, 0.1666652113f);
  p = fma(p, rest, 0.4999999404f);
  return fma(p * rest, rest, rest);
}
// A comparison that a NaN fails leaves it in place.
METAL_FUNC float within(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

} // namespace detail

METAL_FUNC float exp(float x) {
  float rest;
  detail::Halvings scale(detail::split_natural(detail::within(x, -104.0f, 100.0f), rest));
  return (detail::exponential_rest(rest) + 1.0f) * scale.first * scale.second;
}

METAL_FUNC float exp2(float x) {
  x = detail::within(x, -151.0f, 130.0f);
  float pushed = x + detail::to_whole, rest = x - (pushed - detail::to_whole);
  detail::Halvings scale(as_type<int>(pushed) - as_type<int>(detail::to_whole));
  float p = fma(0.0001535334159f, rest, 0.001339890063f);
  p = fma(p, rest, 0.009618437848f);
  p = fma(p, rest, 0.05550332367f);
  p = fma(p, rest, 0.2402264774f);
  p = fma(p, rest, 0.6931471825f);
  return fma(p, rest, 1.0f) * scale.first * scale.second;
}

METAL_FUNC float exp10(float x) {
  float whole = detail::within(x, -46.0f, 39.0f) * 3.32192809f; // only a guess at the power: the remainder is exact enough
  float pushed = whole + detail::to_whole, power = pushed - detail::to_whole;
  float rest = fma(power, -0.301025391f, detail::within(x, -46.0f, 39.0f));
  rest = fma(power, -4.60503846e-6f, rest);
  float natural = rest * M_LN10_F, p = detail::exponential_rest(natural);
  detail::Halvings scale(as_type<int>(pushed) - as_type<int>(detail::to_whole));
  return (p + 1.0f) * scale.first * scale.second;
}

METAL_FUNC float expm1(float x) {
  float rest;
  int power = detail::split_natural(detail::within(x, -30.0f, 89.0f), rest);
  float p = detail::exponential_rest(rest);
  detail::Halvings scale(power - 1); // half of the result, which does not overflow before the result does
  float half_scale = scale.first * scale.second;
  return power == 0 ? p : 2.0f * fma(p, half_scale, half_scale - 0.5f);
}

METAL_FUNC float tanh(float x) {
  float t = expm1(-2.0f * detail::within(fabs(x), 0.0f, 10.0f));
  return copysign(-t / (2.0f + t), x);
}

} // namespace metal
