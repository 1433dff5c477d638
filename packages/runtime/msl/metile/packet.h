// ROW_PACK neighbouring elements of a row as raw words, moved 16 bytes at a time where there are that many, unpacked to
// float when used. For GPUs.
#pragma once
#include "metile/types.h"

#ifndef ROW_PACK
#define ROW_PACK 1
#endif
#define UNROLL _Pragma("clang loop unroll(full)")

// A word that the compiler may not take to be the same as before: forbids keeping unpacked copies alive between passes over
// held registers, where unpacking again is one instruction and a register is dearer. A target that can, defines it.
#ifndef METILE_LAUNDER
#define METILE_LAUNDER(word) (word)
#endif

// Element j (of two, for 16-bit types) of a word; the last argument only names the type.
METAL_FUNC float unpacked(uint word, uint, float) { return as_type<float>(word); }
METAL_FUNC float unpacked(uint word, uint j, half) {
  const half2 both = as_type<half2>(word);
  return float(j & 1 ? both.y : both.x);
}
METAL_FUNC uint packed(float low, float, float) { return as_type<uint>(low); }
METAL_FUNC uint packed(float low, float high, half) { return as_type<uint>(half2(float2(low, high))); }
#if !defined(__METAL_VERSION__) || __METAL_VERSION__ >= 310 /* macOS 13 has no bfloat: other kernels run there */
METAL_FUNC float unpacked(uint word, uint j, bfloat) { return as_type<float>(j & 1 ? word & 0xffff0000u : word << 16); }
METAL_FUNC uint packed(float low, float high, bfloat) { return as_type<uint>(bfloat2(float2(low, high))); }
#endif

template <typename E> struct Packet {
  enum : uint { bytes = ROW_PACK * sizeof(E), words = (bytes + 3) / 4, per_word = sizeof(E) == 4 ? 1 : 2 };
  uint word[words];

  METAL_FUNC void load(device const E* from) {
    UNROLL for (uint i = 0; i + 4 <= words; i += 4) {
      const uint4 four = ((device const uint4*)from)[i / 4];
      word[i] = four.x;
      word[i + 1] = four.y;
      word[i + 2] = four.z;
      word[i + 3] = four.w;
    }
    if (bytes == 8) {
      const uint2 two = *(device const uint2*)from;
      word[0] = two.x;
      word[words - 1] = two.y;
    }
    if (bytes == 4) word[0] = *(device const uint*)from;
    if (bytes == 2) word[0] = *(device const ushort*)from;
  }
  METAL_FUNC void store(device E* to) const {
    UNROLL for (uint i = 0; i + 4 <= words; i += 4) {
      ((device uint4*)to)[i / 4] = uint4(word[i], word[i + 1], word[i + 2], word[i + 3]);
    }
    if (bytes == 8) *(device uint2*)to = uint2(word[0], word[words - 1]);
    if (bytes == 4) *(device uint*)to = word[0];
    if (bytes == 2) *(device ushort*)to = (ushort)word[0];
  }
  METAL_FUNC void fill(float value) {
    UNROLL for (uint i = 0; i < words; ++i) word[i] = packed(value, value, E(0.0f));
  }
  METAL_FUNC float get(uint j) const { return unpacked(word[j / per_word], j, E(0.0f)); }
  METAL_FUNC void set(thread const float* values) {
    UNROLL for (uint i = 0; i < words; ++i) {
      word[i] = packed(values[i * per_word], values[min(i * per_word + 1, (uint)ROW_PACK - 1)], E(0.0f));
    }
  }
  METAL_FUNC void renew() {
    UNROLL for (uint i = 0; i < words; ++i) word[i] = METILE_LAUNDER(word[i]);
  }
};
