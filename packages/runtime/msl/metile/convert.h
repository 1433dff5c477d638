// Conversions between element types as C and JavaScript have them where they agree, and defined where C is not:
//   float to int, uint   towards zero, past the range to its end, NaN to 0
//   int to uint and back the same 32 bits
//   anything to bool     whether it differs from 0; a NaN does
//   int to half, bfloat  rounded once
//   float to half, bfloat to nearest even; a NaN stays one
#pragma once
#include "metile/types.h"

// bool is one byte in memory, and any byte but 0 is true.
template <typename E> METAL_FUNC E stored(device const E* elements, ulong i) { return elements[i]; }
METAL_FUNC bool stored(device const bool* elements, ulong i) { return ((device const uchar*)elements)[i] != 0; }

METAL_FUNC int whole(float value) {
  const float low = value < -2147483648.0f ? -2147483648.0f : value;
  const bool fits = low < 2147483648.0f; // false for NaN too
  return fits ? int(low) : value > 0.0f ? 2147483647 : 0;
}
METAL_FUNC uint whole_unsigned(float value) {
  const float low = value < 0.0f ? 0.0f : value;
  const bool fits = low < 4294967296.0f;
  return fits ? uint(low) : value > 0.0f ? 4294967295u : 0u;
}
// The magnitude as a float in which bits past float's 24 survive as one sticky bit: rounding it to bfloat is rounding the
// integer.
METAL_FUNC float sticky(uint magnitude) {
  const uint past = magnitude & 0xffu ? 0x100u : 0u;
  return float(magnitude >= 0x1000000u ? (magnitude & ~0xffu) | past : magnitude);
}

template <typename To> struct Convert {
  template <typename From> static METAL_FUNC To from(From value) { return To(float(value)); } // half, bfloat
  static METAL_FUNC To from(uint value) { return To(sticky(value)); }
  static METAL_FUNC To from(int value) {
    const float magnitude = sticky(value < 0 ? 0u - uint(value) : uint(value));
    return To(value < 0 ? -magnitude : magnitude);
  }
  static METAL_FUNC To from(bool value) { return To(value ? 1.0f : 0.0f); }
};
template <> struct Convert<float> {
  template <typename From> static METAL_FUNC float from(From value) { return float(value); }
};
template <> struct Convert<int> {
  template <typename From> static METAL_FUNC int from(From value) { return whole(float(value)); }
  static METAL_FUNC int from(int value) { return value; }
  static METAL_FUNC int from(uint value) { return int(value); }
  static METAL_FUNC int from(bool value) { return value ? 1 : 0; }
};
template <> struct Convert<uint> {
  template <typename From> static METAL_FUNC uint from(From value) { return whole_unsigned(float(value)); }
  static METAL_FUNC uint from(int value) { return uint(value); }
  static METAL_FUNC uint from(uint value) { return value; }
  static METAL_FUNC uint from(bool value) { return value ? 1u : 0u; }
};
template <> struct Convert<bool> {
  template <typename From> static METAL_FUNC bool from(From value) { return float(value) != 0.0f; }
  static METAL_FUNC bool from(int value) { return value != 0; }
  static METAL_FUNC bool from(uint value) { return value != 0u; }
  static METAL_FUNC bool from(bool value) { return value; }
};
