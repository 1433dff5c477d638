#include <metal_stdlib>
using namespace metal;

// One function of the library a launch, chosen by number; tests name them in the same order (mathematics.py).
#define CASE(number, value) \
  case number: \
    y[i] = value; \
    break;

kernel void unary(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& count [[buffer(2)]],
                  constant uint& which [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  const float a = x[i];
  switch (which) {
    CASE(0, exp(a)) CASE(1, exp2(a)) CASE(2, exp10(a)) CASE(3, log(a)) CASE(4, log2(a)) CASE(5, log10(a)) CASE(6, sin(a))
    CASE(7, cos(a)) CASE(8, tan(a)) CASE(9, asin(a)) CASE(10, acos(a)) CASE(11, atan(a)) CASE(12, sinh(a)) CASE(13, cosh(a))
    CASE(14, tanh(a)) CASE(15, sqrt(a)) CASE(16, rsqrt(a)) CASE(17, floor(a)) CASE(18, ceil(a)) CASE(19, rint(a))
    CASE(20, round(a)) CASE(21, trunc(a)) CASE(22, fabs(a)) CASE(23, sign(a)) CASE(24, saturate(a)) CASE(25, fract(a))
    CASE(26, float(isnan(a))) CASE(27, float(isinf(a))) CASE(28, float(isfinite(a))) CASE(29, float(signbit(a)))
    CASE(30, 1.0f / a) CASE(31, a * 0.5f) CASE(32, fast::exp(a)) CASE(33, fast::exp2(a)) CASE(34, fast::log(a))
    CASE(35, fast::tanh(a)) CASE(36, fast::rsqrt(a)) CASE(37, fast::sin(a)) CASE(38, precise::exp(a)) CASE(39, -a)
    CASE(40, asinh(a)) CASE(41, acosh(a)) CASE(42, atanh(a)) CASE(43, sinpi(a)) CASE(44, cospi(a))
  }
}

kernel void binary(device const float* x [[buffer(0)]], device const float* z [[buffer(1)]], device float* y [[buffer(2)]],
                   constant uint& count [[buffer(3)]], constant uint& which [[buffer(4)]],
                   uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  const float a = x[i], b = z[i];
  switch (which) {
    CASE(0, max(a, b)) CASE(1, min(a, b)) CASE(2, fmax(a, b)) CASE(3, fmin(a, b)) CASE(4, pow(a, b)) CASE(5, fmod(a, b))
    CASE(6, atan2(a, b)) CASE(7, copysign(a, b)) CASE(8, a / b) CASE(9, a * b + a) CASE(10, fma(a, b, a)) CASE(11, step(a, b))
    CASE(12, clamp(a, -1.0f, 1.0f)) CASE(13, mix(a, b, 0.25f)) CASE(14, select(a, b, a < b)) CASE(15, a * b) CASE(16, a + b)
    CASE(17, powr(a, b)) CASE(18, fdim(a, b)) CASE(19, divide(a, b))
  }
}

kernel void integers(device const uint* x [[buffer(0)]], device const uint* z [[buffer(1)]], device uint* y [[buffer(2)]],
                     constant uint& count [[buffer(3)]], constant uint& which [[buffer(4)]],
                     uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  const uint a = x[i], b = z[i];
  switch (which) {
    CASE(0, max(a, b)) CASE(1, min(a, b)) CASE(2, (uint)max((int)a, (int)b)) CASE(3, (uint)min((int)a, (int)b))
    CASE(4, popcount(a)) CASE(5, clz(a)) CASE(6, ctz(a)) CASE(7, reverse_bits(a)) CASE(8, mulhi(a, b)) CASE(9, abs((int)a))
    CASE(10, absdiff(a, b)) CASE(11, rotate(a, b)) CASE(12, clamp(a, 5u, 500u)) CASE(13, hadd(a, b)) CASE(14, addsat(a, b))
    CASE(15, subsat(a, b)) CASE(16, (uint)mulhi((int)a, (int)b))
  }
}
