// Votes of a simdgroup.
#pragma once
#include "lanes.h"

namespace metal {

struct simd_vote {
  typedef ulong vote_t;
  METAL_FUNC explicit simd_vote(vote_t votes_ = 0) : votes(votes_) {}
  METAL_FUNC explicit operator vote_t() const { return votes; }
  METAL_FUNC bool all() const { return votes == cuda::everyone(); }
  METAL_FUNC bool any() const { return votes != 0; }

private:
  vote_t votes;
};

METAL_FUNC simd_vote simd_ballot(bool value) { return simd_vote(__ballot_sync(cuda::everyone(), value)); }
METAL_FUNC simd_vote simd_active_threads_mask() { return simd_vote(cuda::everyone()); }
METAL_FUNC bool simd_all(bool value) { return __all_sync(cuda::everyone(), value); }
METAL_FUNC bool simd_any(bool value) { return __any_sync(cuda::everyone(), value); }
METAL_FUNC bool simd_is_first() { return cuda::lane() == 0; }

} // namespace metal
