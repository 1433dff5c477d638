// Not of Metal: what the row layer asks of a CPU's memory and compiler.
#pragma once
#include "language.h"

namespace metal {
namespace cpu {

// Stores that bypass the caches, for outputs too large to stay in them. A plain store reads the line before it writes it;
// without that read a copy moves two bytes where it moved three. The bits are the same.
typedef float Chunk __attribute__((vector_size(32), may_alias)); // what one such store takes; targets must be aligned to it

METAL_FUNC void stream_chunk(Chunk* to, Chunk value) {
#if defined(__clang__)
  __builtin_nontemporal_store(value, to);
#elif defined(__AVX__)
  __builtin_ia32_movntps256((float*)to, value);
#else
  *to = value;
#endif
}

// bytes: a multiple of 32
METAL_FUNC void stream(void* to, const void* from, uint bytes) {
  for (uint i = 0; i < bytes / 32; ++i) stream_chunk((Chunk*)to + i, ((const Chunk*)from)[i]);
}

// Such stores are ordered with later ones, and so seen by whoever learns that the work is done, only past this.
METAL_FUNC void stream_end() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

// Starts bringing memory into the second cache. Addresses past an allocation are harmless.
METAL_FUNC void prefetch(const void* from, uint bytes) {
  for (uint i = 0; i < bytes; i += 64) __builtin_prefetch((const char*)from + i, 0, 2);
}

// The same value, of which a compiler knows nothing more.
METAL_FUNC bool opaque(bool value) {
  uint word = value;
  __asm__ volatile("" : "+r"(word));
  return word != 0;
}

} // namespace cpu
} // namespace metal
