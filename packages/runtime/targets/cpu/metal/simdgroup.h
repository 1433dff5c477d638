// Cooperation of threads, for a threadgroup and a simdgroup of one: barriers vanish, reductions are the identity.
// Shuffles to another lane are absent: there is none, and a kernel that wants one must not compile.
#pragma once
#include "language.h"

namespace metal {

enum class mem_flags : uint { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4 };
METAL_FUNC void threadgroup_barrier(mem_flags) {}
METAL_FUNC void simdgroup_barrier(mem_flags) {}

template <typename T> METAL_FUNC T simd_sum(T value) { return value; }
template <typename T> METAL_FUNC T simd_product(T value) { return value; }
template <typename T> METAL_FUNC T simd_max(T value) { return value; }
template <typename T> METAL_FUNC T simd_min(T value) { return value; }
template <typename T> METAL_FUNC T simd_broadcast(T value, ushort) { return value; }
template <typename T> METAL_FUNC T simd_broadcast_first(T value) { return value; }
template <typename T> METAL_FUNC T simd_prefix_inclusive_sum(T value) { return value; }
template <typename T> METAL_FUNC T simd_prefix_exclusive_sum(T) { return T(0); }
METAL_FUNC bool simd_all(bool value) { return value; }
METAL_FUNC bool simd_any(bool value) { return value; }
METAL_FUNC bool simd_is_first() { return true; }

} // namespace metal
