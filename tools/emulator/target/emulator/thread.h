// What a kernel's text and the emulator know of each other.
#pragma once

struct MetileLanes { // what the lanes of a simdgroup brought to a simd function
  unsigned active; // bit n: lane n took part
  unsigned char values[32][64];
};

// What metile_position answers.
enum MetilePosition { metile_in_group, metile_group, metile_groups, metile_threads, metile_lane, metile_simdgroup, metile_simdgroups };

extern "C" {
void* metile_argument(unsigned index);    // buffer or constant [[buffer(index)]]
void* metile_threadgroup(unsigned index); // memory [[threadgroup(index)]]
unsigned metile_position(unsigned what, unsigned axis);
void metile_barrier(unsigned flags);
void metile_simdgroup_barrier(unsigned flags);
const MetileLanes* metile_exchange(const void* value, unsigned bytes);
void metile_lane_missing(unsigned lane);
void metile_thread(); // one thread of the kernel; the compiled text defines it
}
