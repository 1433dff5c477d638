// Reductions over a threadgroup of a GPU, one barrier each.
#pragma once
#include "metile/columns_gpu.h"

#define ROW_SIMDGROUPS (ROW_THREADS / 32)

struct Sum { // of the columns that this thread owns
  float share;
  METAL_FUNC Sum() : share(0.0f) {}
  METAL_FUNC void add(uint, float term) { share += term; }
  METAL_FUNC void add(uint, float a, float b) { share = fma(a, b, share); } // a * b, unrounded
  METAL_FUNC float value() const { return share; }
};

// Of the columns that this thread owns. Drops a NaN: add what is computed from every value, such as the sum of
// exponentials, to let it through.
struct Maximum {
  float share;
  METAL_FUNC explicit Maximum(float start) : share(start) {}
  METAL_FUNC void take(float value) { share = max(share, value); }
  METAL_FUNC float value() const { return share; }
};

// Every thread learns the result. Simdgroups leave their share in one half of scratch (128 floats), reductions take turns
// with the halves: whoever writes a half again has passed a barrier since everyone read it.
struct Team {
  threadgroup float* scratch;
  uint lane, simdgroup, offset;
  METAL_FUNC Team(threadgroup float* scratch_, uint lane_, uint simdgroup_)
      : scratch(scratch_), lane(lane_), simdgroup(simdgroup_), offset(0) {}

  METAL_FUNC float sum(float own) {
    const float share = simd_sum(own);
    if (ROW_SIMDGROUPS == 1) return share;
    return total(published(share, 0.0f));
  }
  METAL_FUNC float sum(thread const Sum& own) { return sum(own.value()); }
  METAL_FUNC float2 sum(thread const Sum& a, thread const Sum& b) {
    const float share_a = simd_sum(a.value()), share_b = simd_sum(b.value());
    if (ROW_SIMDGROUPS == 1) return float2(share_a, share_b);
    threadgroup const float* shares = published(share_a, share_b);
    return float2(total(shares), total(shares + 32));
  }
  METAL_FUNC float max(thread const Maximum& own) { return max(own.value()); }
  METAL_FUNC float max(float own) {
    const float share = simd_max(own);
    if (ROW_SIMDGROUPS == 1) return share;
    threadgroup const float* shares = published(share, 0.0f);
    return simd_max(shares[lane < ROW_SIMDGROUPS ? lane : 0]);
  }

  METAL_FUNC threadgroup const float* published(float a, float b) {
    threadgroup float* shares = scratch + offset;
    if (lane == 0) {
      shares[simdgroup] = a;
      shares[32 + simdgroup] = b;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    offset ^= 64;
    return shares;
  }
  METAL_FUNC float total(threadgroup const float* shares) {
    if (ROW_SIMDGROUPS > 8) return simd_sum(lane < ROW_SIMDGROUPS ? shares[lane] : 0.0f);
    float sum = shares[0]; // the same address for all lanes: few reads beat a shuffle tree
    UNROLL for (uint i = 1; i < ROW_SIMDGROUPS; ++i) sum += shares[i];
    return sum;
  }
};
