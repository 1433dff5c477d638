// What NVRTC knows without any header, declared for clang's CUDA front end: as much as the prelude counts on. For a syntax
// check alone.
#pragma once
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

// NVRTC has vectors of its own, which Metal's must hide
struct uint3 { unsigned x, y, z; };
struct uint4 { unsigned x, y, z, w; };
struct float2 { float x, y; };
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const uint3 blockDim, gridDim;

__device__ float __uint_as_float(unsigned), __int_as_float(int);
__device__ unsigned __float_as_uint(float);
__device__ int __popc(unsigned), __popcll(unsigned long long), __clz(int), __clzll(long long), __mulhi(int, int);
__device__ unsigned __brev(unsigned), __umulhi(unsigned, unsigned);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);

__device__ float fabsf(float), floorf(float), ceilf(float), truncf(float), rintf(float), roundf(float), copysignf(float, float);
__device__ float fmodf(float, float), fmaxf(float, float), fminf(float, float), fdimf(float, float);
__device__ float expf(float), exp2f(float), exp10f(float), logf(float), log2f(float), log10f(float), expm1f(float), log1pf(float);
__device__ float sinf(float), cosf(float), tanf(float), sinpif(float), cospif(float), asinf(float), acosf(float), atanf(float);
__device__ float sinhf(float), coshf(float), tanhf(float), asinhf(float), acoshf(float), atanhf(float);
__device__ float atan2f(float, float), powf(float, float);
__device__ float __fmaf_rn(float, float, float), __fsqrt_rn(float), __frsqrt_rn(float), __fdiv_rn(float, float);
__device__ float __fdividef(float, float);
// of the same names as Metal's
__device__ float exp(float), max(float, float), min(float, float), abs(float), fma(float, float, float);
__device__ int max(int, int), min(int, int), abs(int);

__device__ void __syncthreads(), __syncwarp(unsigned);
__device__ unsigned __shfl_sync(unsigned, unsigned, int), __shfl_xor_sync(unsigned, unsigned, int);
__device__ unsigned __shfl_up_sync(unsigned, unsigned, unsigned), __shfl_down_sync(unsigned, unsigned, unsigned);
__device__ unsigned __ballot_sync(unsigned, int);
__device__ int __all_sync(unsigned, int), __any_sync(unsigned, int);

#define METILE_ATOMICS(T) \
  __device__ T atomicAdd(T*, T), atomicExch(T*, T), atomicMax(T*, T), atomicMin(T*, T), atomicAnd(T*, T), atomicOr(T*, T); \
  __device__ T atomicXor(T*, T);
METILE_ATOMICS(int) METILE_ATOMICS(unsigned) METILE_ATOMICS(unsigned long long)
#undef METILE_ATOMICS
__device__ float atomicAdd(float*, float), atomicExch(float*, float);
__device__ unsigned atomicCAS(unsigned*, unsigned, unsigned);

// --device-as-default-execution-space
#pragma clang force_cuda_host_device begin
