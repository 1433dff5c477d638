// half: IEEE binary16, held as its bits and computed on in float. Conversions round to nearest even and keep denormals; a
// NaN stays one, though not its payload.
#pragma once
#include "bits.h"

namespace metal {

struct half {
  ushort bits;
  half() = default;
  METAL_FUNC half(float value) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value)); }
  METAL_FUNC half(int value) : half((float)value) {} // exact: what float rounds is past half's range
  METAL_FUNC half(uint value) : half((float)value) {}
  METAL_FUNC half(long value) : half((float)value) {}
  METAL_FUNC half(ulong value) : half((float)value) {}
  explicit half(double) = delete; // a literal without its f
  METAL_FUNC operator float() const {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
  }
  METAL_FUNC half& operator+=(float value) { return *this = half(float(*this) + value); }
  METAL_FUNC half& operator-=(float value) { return *this = half(float(*this) - value); }
  METAL_FUNC half& operator*=(float value) { return *this = half(float(*this) * value); }
  METAL_FUNC half& operator/=(float value) { return *this = half(float(*this) / value); }
};

// Arithmetic of two values of one 16-bit type stays in that type; mixed with anything else it is float's.
namespace cuda {
template <typename T> struct SmallFloat {};
template <> struct SmallFloat<half> { typedef half type; };
} // namespace cuda
#define METAL_SMALL(op) \
  template <typename T> METAL_FUNC typename cuda::SmallFloat<T>::type operator op(T a, T b) { return T(float(a) op float(b)); }
METAL_SMALL(+) METAL_SMALL(-) METAL_SMALL(*) METAL_SMALL(/)
#undef METAL_SMALL
template <typename T> METAL_FUNC typename cuda::SmallFloat<T>::type operator-(T a) {
  a.bits ^= 0x8000;
  return a;
}

} // namespace metal
