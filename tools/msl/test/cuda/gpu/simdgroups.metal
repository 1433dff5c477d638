#include <metal_stdlib>
using namespace metal;

// What each thread learns of its simdgroup: RESULTS numbers a thread.
#define RESULTS 24

kernel void simdgroups(device const float* x [[buffer(0)]], device const uint* u [[buffer(1)]], device float* y [[buffer(2)]],
                       device uint* v [[buffer(3)]], uint tid [[thread_index_in_threadgroup]],
                       uint lane [[thread_index_in_simdgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]],
                       uint simdgroups [[simdgroups_per_threadgroup]]) {
  device float* f = y + tid * RESULTS;
  device uint* w = v + tid * RESULTS;
  const float a = x[tid];
  const uint b = u[tid];
  f[0] = simd_sum(a);
  f[1] = simd_max(a);
  f[2] = simd_min(a);
  f[3] = simd_product(a > 0.0f ? 2.0f : 1.0f);
  f[4] = simd_prefix_inclusive_sum(a);
  f[5] = simd_prefix_exclusive_sum(a);
  f[6] = simd_broadcast(a, 1);
  f[7] = simd_broadcast_first(a);
  f[8] = simd_shuffle_xor(a, 1);
  f[9] = simd_shuffle_up(a, 3);
  f[10] = simd_shuffle_down(a, 2);
  f[11] = simd_shuffle(a, (ushort)(lane / 2));
  f[12] = simd_shuffle_rotate_up(a, 1);
  f[13] = simd_shuffle_rotate_down(a, 5);
  f[14] = float(simd_sum(half(a)));
  f[15] = float(simd_max(bfloat(a)));
  f[16] = simd_broadcast(float4(a, 2.0f, 3.0f, a + 1.0f), 2).w;
  f[17] = quad_sum(a);
  w[0] = simd_sum(b);
  w[1] = simd_max(b);
  w[2] = simd_min(b);
  w[3] = simd_and(b);
  w[4] = simd_or(b);
  w[5] = simd_xor(b);
  w[6] = (uint)simd_sum((int)b);
  w[7] = (uint)simd_max((int)b);
  w[8] = (uint)simd_min((int)b);
  w[9] = (uint)(ulong)simd_ballot(b & 1u);
  w[10] = simd_all(b != 1u);
  w[11] = simd_any(b == 1u);
  w[12] = simd_is_first();
  w[13] = (uint)(simd_shuffle((ulong)b << 32 | lane, 1) >> 32);
  w[14] = simd_prefix_exclusive_sum(b);
  w[15] = lane;
  w[16] = simdgroup;
  w[17] = simdgroups;
  w[18] = simd_sum((ushort)(b & 15u));
  w[19] = simd_ballot(true).all();
}
