// The words of the language that CUDA lacks: scalar type names, constants, and what the rewriter writes.
#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "meTile's kernels need an NVIDIA GPU of compute capability 8.0 (Ampere) or later"
#endif

#ifndef METILE_CUDA
#define METILE_CUDA 1
#endif
#ifndef __METAL_VERSION__
#define __METAL_VERSION__ 310
#endif

namespace metal {
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;
static_assert(sizeof(ulong) == 8, "MSL's ulong has 64 bits");

// What the prelude has for itself; the texts of kernels share namespace metal with it.
namespace cuda {
struct Extent { uint x, y, z; }; // how the host passes the grid: 12 bytes
template <typename T> struct Exactly { typedef T type; }; // keeps an argument out of the deduction of T
} // namespace cuda
} // namespace metal

#define METAL_FUNC __device__ __forceinline__
#define METAL_INDEPENDENT /* a hint for loops of CPUs */

// Written by the rewriter.
#define METILE_KERNEL static __device__ __forceinline__
#define METILE_SHARED __shared__ __align__(16)
#ifndef METILE_THREADS
#define METILE_BOUNDS
#define METILE_BOUNDS_OF(most) __launch_bounds__(most)
#elif defined(METILE_BLOCKS)
#define METILE_BOUNDS __launch_bounds__(METILE_THREADS, METILE_BLOCKS)
#define METILE_BOUNDS_OF(most) METILE_BOUNDS
#else
#define METILE_BOUNDS __launch_bounds__(METILE_THREADS)
#define METILE_BOUNDS_OF(most) METILE_BOUNDS
#endif

// CUDA may have some of these already, with other types.
#undef INFINITY
#undef HUGE_VALF
#undef NAN
#undef MAXFLOAT
#undef FLT_MAX
#undef FLT_MIN
#undef FLT_EPSILON
#undef INT_MAX
#undef INT_MIN
#undef UINT_MAX
#define INFINITY __int_as_float(0x7f800000)
#define HUGE_VALF INFINITY
#define NAN __int_as_float(0x7fc00000)
#define MAXFLOAT 3.402823466e+38f
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define HALF_MAX 65504.0f
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define M_E_F 2.71828183f
#define M_LOG2E_F 1.44269504f
#define M_LOG10E_F 0.434294482f
#define M_LN2_F 0.693147181f
#define M_LN10_F 2.30258509f
#define M_PI_F 3.14159265f
#define M_PI_2_F 1.57079633f
#define M_PI_4_F 0.785398163f
#define M_1_PI_F 0.318309886f
#define M_2_PI_F 0.636619772f
#define M_SQRT2_F 1.41421356f
#define M_SQRT1_2_F 0.707106781f
