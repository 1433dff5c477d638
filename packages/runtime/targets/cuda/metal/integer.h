// Functions of whole numbers.
#pragma once
#include "bits.h"

namespace metal {

#define METAL_ORDER(T) \
  METAL_FUNC T max(T a, T b) { return a < b ? b : a; } \
  METAL_FUNC T min(T a, T b) { return b < a ? b : a; }
METAL_ORDER(char) METAL_ORDER(uchar) METAL_ORDER(short) METAL_ORDER(ushort)
METAL_ORDER(int) METAL_ORDER(uint) METAL_ORDER(long) METAL_ORDER(ulong)
#undef METAL_ORDER

METAL_FUNC uint abs(int a) { return a < 0 ? 0u - (uint)a : (uint)a; }
METAL_FUNC ulong abs(long a) { return a < 0 ? 0ul - (ulong)a : (ulong)a; }
METAL_FUNC uint abs(uint a) { return a; }
METAL_FUNC ulong abs(ulong a) { return a; }
METAL_FUNC uint absdiff(int a, int b) { return a < b ? (uint)b - (uint)a : (uint)a - (uint)b; }
METAL_FUNC uint absdiff(uint a, uint b) { return a < b ? b - a : a - b; }

METAL_FUNC uint popcount(uint a) { return (uint)__popc(a); }
METAL_FUNC int popcount(int a) { return __popc((uint)a); }
METAL_FUNC ulong popcount(ulong a) { return (ulong)__popcll(a); }
METAL_FUNC uint clz(uint a) { return (uint)__clz((int)a); } // 32 for 0
METAL_FUNC int clz(int a) { return __clz(a); }
METAL_FUNC ulong clz(ulong a) { return (ulong)__clzll((long long)a); }
METAL_FUNC uint reverse_bits(uint a) { return __brev(a); }
METAL_FUNC uint ctz(uint a) { return clz(reverse_bits(a)); }
METAL_FUNC int ctz(int a) { return (int)ctz((uint)a); }

METAL_FUNC uint mulhi(uint a, uint b) { return __umulhi(a, b); }
METAL_FUNC int mulhi(int a, int b) { return __mulhi(a, b); }
METAL_FUNC ulong mulhi(ulong a, ulong b) { return (ulong)__umul64hi(a, b); }
METAL_FUNC uint mad24(uint a, uint b, uint c) { return (a & 0xffffffu) * (b & 0xffffffu) + c; }
METAL_FUNC uint rotate(uint a, uint b) { return a << (b & 31u) | a >> (0u - b & 31u); }
METAL_FUNC uint hadd(uint a, uint b) { return (uint)(((ulong)a + b) >> 1); }
METAL_FUNC uint rhadd(uint a, uint b) { return (uint)(((ulong)a + b + 1) >> 1); }
METAL_FUNC uint addsat(uint a, uint b) { return a + b < a ? 0xffffffffu : a + b; }
METAL_FUNC uint subsat(uint a, uint b) { return a < b ? 0u : a - b; }

} // namespace metal
