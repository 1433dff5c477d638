// Which threads make up a simdgroup: a warp, of which the last of a threadgroup may have fewer than 32.
//
// All of a simdgroup's threads must reach a simd function together. Metal leaves out those that do not; CUDA waits for
// them, or reads nonsense.
#pragma once
#include "language.h"

namespace metal {
namespace cuda {

METAL_FUNC uint lane() {
  uint number;
  asm("mov.u32 %0, %%laneid;" : "=r"(number));
  return number;
}

// Threads of this thread's simdgroup.
METAL_FUNC uint lanes() {
#if defined(METILE_THREADS) && METILE_THREADS % 32 == 0
  return 32;
#else
  const uint threads = blockDim.x * blockDim.y * blockDim.z;
  const uint index = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const uint left = threads - (index & ~31u);
  return left < 32 ? left : 32;
#endif
}

// The mask of those threads.
METAL_FUNC uint everyone() { return 0xffffffffu >> (32 - lanes()); }

} // namespace cuda
} // namespace metal
