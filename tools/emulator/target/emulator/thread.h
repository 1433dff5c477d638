// What a kernel's text and the emulator know of each other.
#pragma once

struct MetileLanes { // what the lanes of a simdgroup brought to a simd function
  unsigned active; // bit n: lane n took part
  unsigned kept;   // whether a lane has computed what is the same for all
  unsigned char values[32][64], result[64];
};

// Where a thread is.
enum MetilePosition { metile_in_group, metile_group, metile_groups, metile_threads, metile_index, metile_lane, metile_simdgroup, metile_simdgroups };
struct MetileStart { // what a thread begins with
  void* arguments[31]; // buffers and constants, by n of [[buffer(n)]]
  void* scratch[31];   // by n of [[threadgroup(n)]]
  unsigned positions[8][3];
};

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

#pragma GCC visibility push(default) // of what is hidden otherwise, a machine that is a library shows these
extern "C" {
const MetileStart* metile_start(); // of the thread that begins
unsigned metile_lane_index();      // of the present thread
void metile_barrier(unsigned flags);
void metile_simdgroup_barrier(unsigned flags);
const MetileLanes* metile_exchange(const void* value, unsigned bytes);
void metile_keep(const MetileLanes* lanes, const void* result, unsigned bytes);
void metile_lane_missing(unsigned lane);
}
#pragma GCC visibility pop
