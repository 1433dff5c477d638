// The words of the language that C++ lacks: address spaces, scalar type names, constants.
#pragma once

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __INT8_TYPE__ int8_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
static_assert(sizeof(ulong) == 8, "MSL's ulong has 64 bits");

// One memory, one address space.
#define device
#define threadgroup
#define thread
#define constant const

#define METAL_FUNC inline __attribute__((always_inline))

// Iterations touch disjoint memory, as threads do: lets a loop vectorise without a test of overlap.
#ifdef __clang__
#define METAL_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define METAL_INDEPENDENT _Pragma("GCC ivdep")
#endif

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define M_E_F 2.71828183f
#define M_LOG2E_F 1.44269504f
#define M_LOG10E_F 0.434294482f
#define M_LN2_F 0.693147181f
#define M_LN10_F 2.30258509f
#define M_PI_F 3.14159265f
#define M_SQRT2_F 1.41421356f
