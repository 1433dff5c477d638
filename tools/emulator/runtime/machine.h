// The emulated machine: threads of the threadgroup that runs, memory with its history, and what they are accused of.
// Compiled with METILE_WATCHED, or without: then nothing is watched but barriers.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "emulator/thread.h"
#include "fibers.h"

typedef uintptr_t Address;
#define HERE ((Address)__builtin_return_address(0))

const unsigned max_threads = 1024, lanes_of_simdgroup = 32, max_calls = 64, max_regions = 96;
const unsigned device_memory = 1, threadgroup_memory = 2; // bits of mem_flags

enum State { fresh, ready, at_barrier, at_simd, done };

struct Thread {
  void* context;
  unsigned stack;
  State state;
  unsigned id, lane, simdgroup;
  unsigned flags;    // of the barrier where it waits
  bool simd_barrier; // waits for its simdgroup to order memory, not to exchange values
  Address where;     // the call at which it waits
#ifdef METILE_WATCHED
  Address calls[max_calls];
#endif
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
  size_t room;          // around it, that belongs to nobody: an access there is one past this region's end
  Byte* history;        // null where only bounds are watched
};

extern Region regions[max_regions];
extern unsigned region_count;
extern int64_t deadline; // time() at which a thread that touches memory is stopped; 0: never
extern Thread* current; // null outside of threads
extern unsigned group_number, group_position[3], group_counts[3];
extern unsigned thread_count, thread_counts[3]; // of a threadgroup: in all, and by axis
extern unsigned epochs[3], simd_epochs[3][max_threads / lanes_of_simdgroup]; // by device_memory, threadgroup_memory
extern bool stopped; // by end_run

// What runs: a thread of the kernel, its variables in threadgroup memory, and the image of its code.
struct Program {
  void (*run)();
  char *shared_begin, *shared_end;
  Address begin, end;
};
extern Program program;
extern MetileStart start; // of the thread that begins next; arguments and scratch are those of the launch

// memory.cpp
void* reserve(size_t bytes); // null when there is no memory left
void release(void* memory, size_t bytes);
const size_t slack = 1 << 20; // around a region, so that small overruns are reported and harm nothing
Region* add_region(Kind kind, const char* name, char* begin, size_t bytes, bool writable, bool fresh);
bool keep_history(Region& region);
void forget_threadgroup_memory();
void touch(Address address, size_t bytes, bool write, bool atomic, Address where);
void report_unwritten();

// threads.cpp
bool run_grid();  // false when the run was stopped, or its threads could not go on
void leave_run(); // ends the run; does not return while a thread runs
bool of_simdgroups(Address address); // whether simd functions keep values there

// report.cpp of a program, or accusations.cpp of a module
void report(const char* kind, const Thread* thread, Address where, Address other, const char* format, ...);
void end_run(const char* outcome); // does not return while a thread runs
