// The emulated machine: memory with its history, threads of the threadgroup that runs, and what they are accused of.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>
#include "emulator/thread.h"

typedef uintptr_t Address;
#define HERE ((Address)__builtin_return_address(0))

const unsigned max_threads = 1024, lanes_of_simdgroup = 32, max_calls = 64, max_regions = 48;
const unsigned device_memory = 1, threadgroup_memory = 2; // bits of mem_flags

enum State { ready, at_barrier, at_simd, done };

struct Thread {
  ucontext_t context;
  State state;
  unsigned id, lane, simdgroup;
  unsigned flags;       // of the barrier where it waits
  bool simd_barrier;    // waits for its simdgroup to order memory, not to exchange values
  Address where;        // the call at which it waits
  Address calls[max_calls];
  unsigned depth;
};

// One side of a possible race: who touched a byte last, and which barriers they had passed.
struct Touch {
  uint32_t group, epoch, simd_epoch;
  uint16_t thread; // from 1; 0 for nobody
  bool atomic, many_threads, many_simdgroups, many_groups;
  Address where;
};
struct Byte { // history of one byte
  Touch write, read;
  bool initialised;
};

enum Kind { constant_region, device_region, threadgroup_region };

struct Region {
  const char* name;
  char* begin;
  size_t bytes;
  Kind kind;
  bool writable, fresh; // fresh: holds nothing before the kernel writes it
  Byte* history;
  const char* path; // file of its bytes
};

extern Region regions[max_regions];
extern unsigned region_count;
extern Thread* current; // null outside of threads
extern unsigned thread_count, group_number, group_position[3], group_counts[3];
extern unsigned epochs[3], simd_epochs[3][max_threads / lanes_of_simdgroup]; // by device_memory, threadgroup_memory

// Where the linker puts the program, and the variables of its kernel in threadgroup memory.
extern "C" {
extern const char __ehdr_start, _end;
extern __attribute__((weak)) char __start_metile_shared[], __stop_metile_shared[];
}

// memory.cpp
Region* add_region(Kind kind, const char* name, size_t bytes, bool writable, bool fresh);
void forget_threadgroup_memory();
void touch(Address address, size_t bytes, bool write, bool atomic, Address where);
void report_unwritten();

// threads.cpp
const size_t stack_bytes = 512 << 10;
extern char* stacks;
bool run_group(); // false when its threads could not go on

// report.cpp
void report(const char* kind, const Thread* thread, Address where, Address other, const char* format, ...);
void end_run(const char* outcome);
