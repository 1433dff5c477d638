// Exchange of values of any type among the threads of a simdgroup, word by word.
#pragma once
#include "lanes.h"
#include "vector.h"

namespace metal {
namespace cuda {

template <typename T> union Words {
  uint word[(sizeof(T) + 3) / 4];
  T value;
  METAL_FUNC Words() { word[0] = 0; } // a type of 2 bytes leaves the rest of its word
};

template <typename T, typename Move> METAL_FUNC T moved(T value, Move move) {
  Words<T> from, to;
  from.value = value;
  for (uint i = 0; i < (sizeof(T) + 3) / 4; ++i) to.word[i] = move(from.word[i]);
  return to.value;
}

struct FromLane {
  uint lane;
  METAL_FUNC uint operator()(uint word) const { return __shfl_sync(everyone(), word, (int)lane); }
};
struct Crossed {
  uint mask;
  METAL_FUNC uint operator()(uint word) const { return __shfl_xor_sync(everyone(), word, (int)mask); }
};
struct Up { // from a lower lane; the lowest keep theirs
  uint distance;
  METAL_FUNC uint operator()(uint word) const { return __shfl_up_sync(everyone(), word, distance); }
};
struct Down {
  uint distance;
  METAL_FUNC uint operator()(uint word) const { return __shfl_down_sync(everyone(), word, distance); }
};

} // namespace cuda

template <typename T> METAL_FUNC T simd_shuffle(T value, ushort lane) { return cuda::moved(value, cuda::FromLane{lane}); }
template <typename T> METAL_FUNC T simd_broadcast(T value, ushort lane) { return simd_shuffle(value, lane); }
template <typename T> METAL_FUNC T simd_broadcast_first(T value) { return simd_shuffle(value, 0); }
template <typename T> METAL_FUNC T simd_shuffle_xor(T value, ushort mask) { return cuda::moved(value, cuda::Crossed{mask}); }
template <typename T> METAL_FUNC T simd_shuffle_up(T value, ushort delta) { return cuda::moved(value, cuda::Up{delta}); }
template <typename T> METAL_FUNC T simd_shuffle_down(T value, ushort delta) { return cuda::moved(value, cuda::Down{delta}); }
template <typename T> METAL_FUNC T simd_shuffle_rotate_up(T value, ushort delta) {
  const uint count = cuda::lanes();
  return simd_shuffle(value, (ushort)((cuda::lane() + count - delta % count) % count));
}
template <typename T> METAL_FUNC T simd_shuffle_rotate_down(T value, ushort delta) {
  return simd_shuffle(value, (ushort)((cuda::lane() + delta) % cuda::lanes()));
}

template <typename T> METAL_FUNC T quad_shuffle_xor(T value, ushort mask) { return simd_shuffle_xor(value, (ushort)(mask & 3)); }
template <typename T> METAL_FUNC T quad_broadcast(T value, ushort lane) {
  return simd_shuffle(value, (ushort)((cuda::lane() & ~3u) | (lane & 3u)));
}

} // namespace metal
