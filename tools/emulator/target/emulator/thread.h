// What a kernel's text and the emulator know of each other.
#pragma once

struct MetileLanes { // what the lanes of a simdgroup brought to a simd function
  unsigned active; // bit n: lane n took part
  unsigned char values[32][64];
};

// What metile_position answers.
enum MetilePosition { metile_in_group, metile_group, metile_groups, metile_threads, metile_index, metile_lane, metile_simdgroup, metile_simdgroups };

// What a kernel does with memory that it is given.
enum MetileAccess { metile_constant, metile_reads, metile_writes, metile_scratch };
struct MetileParameter {
  const char* name;
  unsigned index, access;
};
struct MetileKernel {
  const char* name;
  const char* file; // that it is written in
  void (*run)(); // runs one thread
  const MetileParameter* parameters;
  unsigned parameter_count;
};

extern "C" {
void* metile_argument(unsigned index);    // buffer or constant [[buffer(index)]]
void* metile_threadgroup(unsigned index); // memory [[threadgroup(index)]]
unsigned metile_position(unsigned what, unsigned axis);
void metile_barrier(unsigned flags);
void metile_simdgroup_barrier(unsigned flags);
const MetileLanes* metile_exchange(const void* value, unsigned bytes);
void metile_lane_missing(unsigned lane);
}
