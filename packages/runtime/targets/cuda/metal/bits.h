// Reinterpreting bits.
#pragma once
#include "language.h"

namespace metal {

template <typename To, typename From> METAL_FUNC To as_type(From from) {
  static_assert(sizeof(To) == sizeof(From), "as_type keeps the size");
  union Bits { // becomes a move of registers
    From from;
    To to;
    METAL_FUNC Bits(From value) : from(value) {}
  };
  return Bits(from).to;
}
template <> METAL_FUNC float as_type<float, uint>(uint word) { return __uint_as_float(word); }
template <> METAL_FUNC uint as_type<uint, float>(float value) { return __float_as_uint(value); }

// The same word, of which the compiler knows nothing more: it may not keep what it unpacked from the word before.
namespace cuda {
METAL_FUNC uint laundered(uint word) {
  asm volatile("" : "+r"(word));
  return word;
}
} // namespace cuda

} // namespace metal
#define METILE_LAUNDER(word) metal::cuda::laundered(word) /* see metile/packet.h */
