// bfloat: the upper half of a float, held as its bits and computed on in float.
//
// Rounded in integers everywhere: the AVX-512 instruction for it flushes denormals, and bits must not depend on the
// instruction set.
#pragma once
#include "half.h"

namespace metal {

METAL_FUNC float bfloat_to_float(ushort bits) { return as_type<float>((uint)bits << 16); }
METAL_FUNC ushort float_to_bfloat(float value) {
  uint bits = as_type<uint>(value);
  uint rounded = bits + 0x7fffu + (bits >> 16 & 1u);
  return (ushort)((value != value ? 0x7fc00000u : rounded) >> 16); // rounding could carry a NaN into infinity
}
// A float whose rounding to bfloat is that of the integer: bits past float's 24 survive as one sticky bit.
METAL_FUNC float sticky_float(uint magnitude) {
  uint sticky = magnitude & 0xffu ? 0x100u : 0u;
  return (float)(magnitude >= 0x1000000u ? (magnitude & ~0xffu) | sticky : magnitude);
}

struct bfloat {
  ushort bits;
  bfloat() = default;
  METAL_FUNC bfloat(float value) : bits(float_to_bfloat(value)) {}
  METAL_FUNC bfloat(uint value) : bfloat(sticky_float(value)) {}
  METAL_FUNC bfloat(int value) : bfloat(value < 0 ? -sticky_float(abs(value)) : sticky_float(abs(value))) {}
  METAL_FUNC bfloat(half value) : bfloat(float(value)) {}
  METAL_FUNC explicit bfloat(double) = delete;
  METAL_FUNC operator float() const { return bfloat_to_float(bits); }
  METAL_FUNC explicit operator half() const { return half(float(*this)); }
  METAL_FUNC bfloat& operator+=(float value) { return *this = bfloat(float(*this) + value); }
  METAL_FUNC bfloat& operator*=(float value) { return *this = bfloat(float(*this) * value); }
};

template <> struct SmallFloat<bfloat> { typedef bfloat type; };

} // namespace metal
typedef metal::bfloat bfloat;
