#include <metal_stdlib>
using namespace metal;

// Where each thread says it is: in a grid of one dimension, and in one of three whose threadgroups have one.
kernel void positions(device uint* target [[buffer(0)]], uint position [[thread_position_in_grid]],
                      uint group [[threadgroup_position_in_grid]], uint groups [[threadgroups_per_grid]],
                      uint tid [[thread_position_in_threadgroup]], uint threads [[threads_per_threadgroup]],
                      ushort index [[thread_index_in_threadgroup]], uint grid [[threads_per_grid]],
                      uint width [[threads_per_simdgroup]]) {
  device uint* own = target + (ulong)position * 8;
  own[0] = position;
  own[1] = group;
  own[2] = groups;
  own[3] = tid;
  own[4] = threads;
  own[5] = index;
  own[6] = grid;
  own[7] = width;
}

kernel void positions_3d(device uint* target [[buffer(0)]], uint3 group [[threadgroup_position_in_grid]],
                         uint3 groups [[threadgroups_per_grid]], uint2 position [[thread_position_in_grid]],
                         uint tid [[thread_index_in_threadgroup]], uint3 threads [[threads_per_threadgroup]]) {
  const ulong number = (group.z * groups.y + group.y) * groups.x + group.x;
  device uint* own = target + (number * threads.x + tid) * 8;
  own[0] = group.x;
  own[1] = group.y;
  own[2] = group.z;
  own[3] = groups.x * 10000 + groups.y * 100 + groups.z;
  own[4] = position.x;
  own[5] = position.y;
  own[6] = tid;
  own[7] = threads.y;
}

// Vectors: constructors, operators, comparisons, functions of elements.
kernel void vectors(device float4* target [[buffer(0)]], device const float4* source [[buffer(1)]]) {
  const float4 a = source[0], b = source[1];
  target[0] = a + b * 2.0f;
  target[1] = float4(float2(a.x, b.y), float2(a.z, b.w));
  target[2] = select(a, b, a < b);
  target[3] = max(a, b);
  target[4] = float4(uint4(a) << 1u);
  target[5] = float4(dot(a, b), all(a == a), any(a > b), length(float2(3.0f, 4.0f)));
  float4 c = a;
  c[2] = 9.0f;
  c *= 2.0f;
  target[6] = -c;
  const packed_float3 packed = packed_float3(float3(a.x, a.y, a.z));
  target[7] = float4(float3(packed) + 1.0f, b.w);
}
