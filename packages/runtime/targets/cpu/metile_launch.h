// What a runtime and a CPU library of kernels know of each other. C and C++.
//
// A library exports metile_artefact_version and one entry for each variant of each kernel, named
// <kernel>__<type>_<type>…, or <kernel> where no type macro makes variants. Entries need no thread-local or global
// state: any number of threads may run disjoint ranges of one launch at the same time.
#pragma once
#include <stdint.h>

#define METILE_ARTEFACT_VERSION 2

struct metile_launch {
  void* buffers[31];  // by n of [[buffer(n)]]; for a constant T&, the address of its bytes, of any alignment
  uint32_t groups[3]; // threadgroups of the grid; each has one thread
  uint32_t reserved;
};

#ifdef __cplusplus
extern "C" {
#endif

// Runs threadgroups [begin, end) of the grid, counted with x fastest: x + groups[0] * (y + groups[1] * z).
typedef void (*metile_entry)(const struct metile_launch* launch, uint64_t begin, uint64_t end);

extern const uint32_t metile_artefact_version; // METILE_ARTEFACT_VERSION

#ifdef __cplusplus
}
#endif
