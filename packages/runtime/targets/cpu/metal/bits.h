// Reinterpreting bits, and the few integer functions kernels use.
#pragma once
#include "language.h"

namespace metal {

template <typename To, typename From> METAL_FUNC To as_type(From from) {
  static_assert(sizeof(To) == sizeof(From), "as_type keeps the size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

METAL_FUNC int max(int a, int b) { return a < b ? b : a; }
METAL_FUNC int min(int a, int b) { return b < a ? b : a; }
METAL_FUNC uint max(uint a, uint b) { return a < b ? b : a; }
METAL_FUNC uint min(uint a, uint b) { return b < a ? b : a; }
METAL_FUNC long max(long a, long b) { return a < b ? b : a; }
METAL_FUNC long min(long a, long b) { return b < a ? b : a; }
METAL_FUNC ulong max(ulong a, ulong b) { return a < b ? b : a; }
METAL_FUNC ulong min(ulong a, ulong b) { return b < a ? b : a; }
METAL_FUNC uint abs(int a) { return a < 0 ? 0u - (uint)a : (uint)a; }
METAL_FUNC uint clz(uint a) { return a ? (uint)__builtin_clz(a) : 32u; }
METAL_FUNC uint ctz(uint a) { return a ? (uint)__builtin_ctz(a) : 32u; }
METAL_FUNC uint popcount(uint a) { return (uint)__builtin_popcount(a); }
METAL_FUNC uint mulhi(uint a, uint b) { return (uint)((ulong)a * b >> 32); }

template <typename T> METAL_FUNC T select(T otherwise, T chosen, bool condition) { return condition ? chosen : otherwise; }
template <typename T> METAL_FUNC T clamp(T value, T low, T high) { return min(max(value, low), high); }

} // namespace metal
using metal::as_type;
