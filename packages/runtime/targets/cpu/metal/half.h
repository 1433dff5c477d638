// half: IEEE binary16, held as its bits and computed on in float.
//
// A struct, because compilers narrow arithmetic on native halves to 16 bits where they may, which scalarises loops
// and differs between them. Conversions round to nearest even, keep denormals, and quiet a NaN but keep its payload.
#pragma once
#include "bits.h"

namespace metal {

#if defined(__clang__) && (defined(__F16C__) || defined(__aarch64__))
// The same bits in one instruction. Elsewhere a native conversion would be a call into the compiler's library.
METAL_FUNC float half_to_float(ushort bits) { return (float)as_type<_Float16>(bits); }
METAL_FUNC ushort float_to_half(float value) { return as_type<ushort>((_Float16)value); }
#else
// Choices by mask: g++ makes branches of conditional expressions, which do not vectorise.
METAL_FUNC uint choose(bool condition, uint yes, uint no) {
  uint mask = 0u - (uint)condition;
  return (yes & mask) | (no & ~mask);
}
METAL_FUNC float half_to_float(ushort bits) {
  uint sign = (uint)(bits & 0x8000) << 16, magnitude = (uint)(bits & 0x7fff) << 13;
  uint finite = as_type<uint>(as_type<float>(magnitude) * 0x1p112f); // moves the exponent and renormalises denormals
  uint special = magnitude | 0x7f800000u | choose(magnitude > 0x0f800000u, 0x400000u, 0u);
  return as_type<float>(sign | choose(magnitude >= 0x0f800000u, special, finite));
}
METAL_FUNC ushort float_to_half(float value) {
  uint bits = as_type<uint>(value), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  uint normal = magnitude - (112u << 23);
  normal = (normal + 0xfffu + (normal >> 13 & 1u)) >> 13;
  uint denormal = as_type<uint>(as_type<float>(magnitude) + 0.5f) - 0x3f000000u; // the addition rounds at 2^-24
  uint rounded = choose(magnitude < 0x38800000u, denormal, normal);
  rounded = choose(magnitude >= 0x477ff000u, 0x7c00u, rounded);
  rounded = choose(magnitude > 0x7f800000u, 0x7e00u | (magnitude >> 13 & 0x3ffu), rounded);
  return (ushort)(rounded | sign);
}
#endif

struct half {
  ushort bits;
  half() = default;
  METAL_FUNC half(float value) : bits(float_to_half(value)) {}
  METAL_FUNC half(int value) : half((float)value) {}   // exact: what float rounds is past half's range
  METAL_FUNC half(uint value) : half((float)value) {}
  METAL_FUNC explicit half(double) = delete;           // a literal without its f
  METAL_FUNC operator float() const { return half_to_float(bits); }
  METAL_FUNC half& operator+=(float value) { return *this = half(float(*this) + value); }
  METAL_FUNC half& operator*=(float value) { return *this = half(float(*this) * value); }
};

// Arithmetic of two values of one 16-bit type stays in that type; mixed with anything else it is float's.
template <typename T> struct SmallFloat {};
template <> struct SmallFloat<half> { typedef half type; };
#define METAL_SMALL(op) \
  template <typename T> METAL_FUNC typename SmallFloat<T>::type operator op(T a, T b) { return T(float(a) op float(b)); }
METAL_SMALL(+) METAL_SMALL(-) METAL_SMALL(*) METAL_SMALL(/)
#undef METAL_SMALL
template <typename T> METAL_FUNC typename SmallFloat<T>::type operator-(T a) { return as_type<T>((ushort)(a.bits ^ 0x8000)); }

} // namespace metal
typedef metal::half half;
