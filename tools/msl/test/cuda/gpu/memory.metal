#include "metile/packet.h"

// A packet of ROW_PACK elements loaded, unpacked, packed and stored again.
kernel void packets(device const STORAGE* source [[buffer(0)]], device STORAGE* target [[buffer(1)]],
                    constant uint& count [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  Packet<STORAGE> packet;
  packet.load(source + (ulong)i * ROW_PACK);
  float values[ROW_PACK];
  UNROLL for (uint j = 0; j < ROW_PACK; ++j) values[j] = packet.get(j);
  packet.renew();
  packet.set(values);
  packet.store(target + (ulong)i * ROW_PACK);
}

kernel void atomics(device atomic_uint* status [[buffer(0)]], device atomic_int* whole [[buffer(1)]],
                    device atomic_float* real [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&status[0], 1, memory_order_relaxed);
  atomic_fetch_or_explicit(&status[1], 1u << (i & 31u), memory_order_relaxed);
  atomic_fetch_max_explicit(&status[2], i, memory_order_relaxed);
  atomic_fetch_xor_explicit(&status[3], i, memory_order_relaxed);
  atomic_fetch_and_explicit(&status[4], ~(1u << (i & 31u)), memory_order_relaxed);
  atomic_fetch_sub_explicit(&whole[0], 2, memory_order_relaxed);
  atomic_fetch_min_explicit(&whole[1], -(int)i, memory_order_relaxed);
  atomic_fetch_add_explicit(real, 0.5f, memory_order_relaxed);
  uint seen = atomic_load_explicit(&status[5], memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&status[5], &seen, seen + 3, memory_order_relaxed, memory_order_relaxed)) {
  }
  if (i == 7) atomic_store_explicit(&status[6], 77u, memory_order_relaxed);
  if (i == 8) atomic_exchange_explicit(&status[7], 88u, memory_order_relaxed);
}

constant uint TABLE[4] = {3, 5, 7, 11};
constant float SCALE = 2.5f;

// Threadgroup memory of both kinds, tables, and constants of every type.
kernel void spaces(device float* target [[buffer(1)]], constant bool& flag [[buffer(3)]], constant ulong4& wide [[buffer(4)]],
                   constant int& whole [[buffer(5)]], constant float2& pair [[buffer(6)]],
                   constant uint* table [[buffer(7)]], threadgroup float* first [[threadgroup(0)]],
                   threadgroup uint* second [[threadgroup(1)]], uint tid [[thread_position_in_threadgroup]],
                   uint threads [[threads_per_threadgroup]]) {
  threadgroup float own[64], other[2][32];
  first[tid] = float(tid);
  second[tid] = tid * 2;
  own[tid] = SCALE * float(TABLE[tid % 4]);
  other[tid / 32][tid % 32] = pair.y;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const uint next = (tid + 1) % threads;
  target[tid] = first[next] + float(second[next]) * 100.0f + own[next] + other[next / 32][next % 32] + pair.x
      + (flag ? 10000.0f : 0.0f) + float(wide[tid % 4]) + float(whole) + float(table[tid % 3]);
}

struct Mixed { // as Metal lays it out
  uchar a;
  float3 b;
  packed_float3 c;
  half2 d;
  ulong2 e;
};
kernel void sizes(device uint* target [[buffer(0)]]) {
  target[0] = sizeof(uint3);
  target[1] = sizeof(packed_float3);
  target[2] = sizeof(half4);
  target[3] = sizeof(ulong4);
  target[4] = sizeof(Mixed);
  target[5] = alignof(uint4);
  target[6] = sizeof(bool);
  target[7] = sizeof(uchar4);
}
