// bfloat: the upper half of a float, held as its bits and computed on in float. Rounded to nearest even; the instruction
// keeps denormals, and a NaN stays one.
#pragma once
#include "half.h"

namespace metal {

struct bfloat {
  ushort bits;
  bfloat() = default;
  METAL_FUNC bfloat(float value) { asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value)); }
  METAL_FUNC bfloat(uint value) : bfloat(sticky(value)) {}
  METAL_FUNC bfloat(int value) : bfloat(value < 0 ? -sticky(0u - (uint)value) : sticky((uint)value)) {}
  METAL_FUNC bfloat(half value) : bfloat(float(value)) {}
  explicit bfloat(double) = delete;
  METAL_FUNC operator float() const { return as_type<float>((uint)bits << 16); }
  METAL_FUNC explicit operator half() const { return half(float(*this)); }
  METAL_FUNC bfloat& operator+=(float value) { return *this = bfloat(float(*this) + value); }
  METAL_FUNC bfloat& operator-=(float value) { return *this = bfloat(float(*this) - value); }
  METAL_FUNC bfloat& operator*=(float value) { return *this = bfloat(float(*this) * value); }
  METAL_FUNC bfloat& operator/=(float value) { return *this = bfloat(float(*this) / value); }

private:
  // A float whose rounding to bfloat is that of the integer: bits past float's 24 survive as one sticky bit.
  static METAL_FUNC float sticky(uint magnitude) {
    const uint past = magnitude & 0xffu ? 0x100u : 0u;
    return (float)(magnitude >= 0x1000000u ? (magnitude & ~0xffu) | past : magnitude);
  }
};

namespace cuda {
template <> struct SmallFloat<bfloat> { typedef bfloat type; };
} // namespace cuda

} // namespace metal
