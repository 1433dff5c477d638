// Floating-point functions with one right answer: rounding, signs, comparison, classification.
#pragma once
#include "integer.h"
#include "half.h"

namespace metal {

METAL_FUNC float abs(float x) { return ::fabsf(x); }
METAL_FUNC float fabs(float x) { return ::fabsf(x); }
METAL_FUNC float floor(float x) { return ::floorf(x); }
METAL_FUNC float ceil(float x) { return ::ceilf(x); }
METAL_FUNC float trunc(float x) { return ::truncf(x); }
METAL_FUNC float rint(float x) { return ::rintf(x); }
METAL_FUNC float round(float x) { return ::roundf(x); } // halves away from zero
METAL_FUNC float copysign(float magnitude, float sign) { return ::copysignf(magnitude, sign); }
METAL_FUNC float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
METAL_FUNC float mad(float a, float b, float c) { return __fmaf_rn(a, b, c); }
METAL_FUNC float fmod(float x, float y) { return ::fmodf(x, y); }
METAL_FUNC float fract(float x) { // below 1; a NaN stays one
  const float part = x - floor(x);
  return part >= 1.0f ? 0x1.fffffep-1f : part;
}

METAL_FUNC bool isnan(float x) { return (as_type<uint>(x) & 0x7fffffffu) > 0x7f800000u; }
METAL_FUNC bool isinf(float x) { return (as_type<uint>(x) & 0x7fffffffu) == 0x7f800000u; }
METAL_FUNC bool isfinite(float x) { return (as_type<uint>(x) & 0x7fffffffu) < 0x7f800000u; }
METAL_FUNC bool signbit(float x) { return as_type<uint>(x) >> 31; }
METAL_FUNC float sign(float x) { // 0 for NaN and ±0 for ±0, as Metal has it
  return isnan(x) ? 0.0f : x == 0.0f ? x : copysign(1.0f, x);
}

// The other operand where one is a NaN.
METAL_FUNC float fmax(float a, float b) { return ::fmaxf(a, b); }
METAL_FUNC float fmin(float a, float b) { return ::fminf(a, b); }
METAL_FUNC float max(float a, float b) { return ::fmaxf(a, b); }
METAL_FUNC float min(float a, float b) { return ::fminf(a, b); }
METAL_FUNC float fdim(float a, float b) { return ::fdimf(a, b); }
template <typename T> METAL_FUNC T clamp(T value, T low, T high) { return min(max(value, low), high); }
template <typename T> METAL_FUNC T select(T otherwise, T chosen, bool condition) { return condition ? chosen : otherwise; }
METAL_FUNC float saturate(float x) { return fmin(fmax(x, 0.0f), 1.0f); }
METAL_FUNC float mix(float a, float b, float t) { return a + (b - a) * t; }
METAL_FUNC float step(float edge, float x) { return x < edge ? 0.0f : 1.0f; }
METAL_FUNC float smoothstep(float low, float high, float x) {
  const float t = saturate((x - low) / (high - low));
  return t * t * (3.0f - 2.0f * t);
}

} // namespace metal
