// Threads of one threadgroup as fibers: each runs until it waits at a barrier or a simd function, or ends.
#include "machine.h"
#include <string.h>
#include <sys/mman.h>

Thread* current;
char* stacks;
unsigned thread_count, group_number, group_position[3], group_counts[3];
unsigned epochs[3], simd_epochs[3][max_threads / lanes_of_simdgroup];

static Thread threads[max_threads];
static ucontext_t scheduler;
static MetileLanes lanes[max_threads / lanes_of_simdgroup][2];
static unsigned exchanges[max_threads / lanes_of_simdgroup];

static void wait(State state, unsigned flags, bool simd_barrier, Address where) {
  Thread* self = current;
  self->state = state;
  self->flags = flags;
  self->simd_barrier = simd_barrier;
  self->where = where;
  swapcontext(&self->context, &scheduler);
}

extern "C" void metile_barrier(unsigned flags) { wait(at_barrier, flags, false, HERE); }
extern "C" void metile_simdgroup_barrier(unsigned flags) { wait(at_simd, flags, true, HERE); }
extern "C" const MetileLanes* metile_exchange(const void* value, unsigned bytes) {
  // two sets in turn: a lane may bring its next value before others have read this one
  MetileLanes* set = &lanes[current->simdgroup][(exchanges[current->simdgroup] + 1) % 2];
  memcpy(set->values[current->lane], value, bytes);
  wait(at_simd, 0, false, HERE);
  return set;
}
extern "C" void metile_lane_missing(unsigned lane) {
  report("missing-lane", current, HERE, 0, "lane %u is asked for, which does not take part", lane);
}
extern "C" unsigned metile_position(unsigned what, unsigned axis) {
  const bool first = axis == 0;
  switch (what) {
    case metile_in_group: return first ? current->id : 0;
    case metile_group: return group_position[axis];
    case metile_groups: return group_counts[axis];
    case metile_threads: return first ? thread_count : 1;
    case metile_lane: return current->lane;
    case metile_simdgroup: return current->simdgroup;
    default: return (thread_count + lanes_of_simdgroup - 1) / lanes_of_simdgroup;
  }
}

static void run_thread() {
  metile_thread();
  current->state = done;
  swapcontext(&current->context, &scheduler);
}

static void start(unsigned id) {
  Thread& thread = threads[id];
  thread.state = ready;
  thread.id = id;
  thread.lane = id % lanes_of_simdgroup;
  thread.simdgroup = id / lanes_of_simdgroup;
  thread.depth = 0;
  getcontext(&thread.context);
  thread.context.uc_stack.ss_sp = stacks + id * stack_bytes;
  thread.context.uc_stack.ss_size = stack_bytes;
  thread.context.uc_link = &scheduler;
  makecontext(&thread.context, run_thread, 0);
}

// Whether two threads wait at the same place, by the same calls.
static bool same_place(const Thread& a, const Thread& b) {
  return a.where == b.where && a.depth == b.depth && memcmp(a.calls + 1, b.calls + 1, (a.depth ? a.depth - 1 : 0) * sizeof *a.calls) == 0;
}

struct Waiting {
  unsigned barrier, simd, ended, elsewhere;
  const Thread* first; // of those in the state that was asked for
  unsigned flags;      // that all of them gave
};

static Waiting look(unsigned begin, unsigned end, State state) {
  Waiting waiting = {0, 0, 0, 0, nullptr, ~0u};
  for (unsigned id = begin; id < end; ++id) {
    const Thread& thread = threads[id];
    waiting.barrier += thread.state == at_barrier;
    waiting.simd += thread.state == at_simd;
    waiting.ended += thread.state == done;
    if (thread.state != state) continue;
    if (waiting.first == nullptr) waiting.first = &thread;
    waiting.elsewhere += !same_place(*waiting.first, thread);
    waiting.flags &= thread.flags;
  }
  return waiting;
}

// Lets a simdgroup go on whose lanes are all at one place.
static bool release_simdgroup(unsigned simdgroup, bool& diverged) {
  const unsigned begin = simdgroup * lanes_of_simdgroup;
  const unsigned end = begin + lanes_of_simdgroup < thread_count ? begin + lanes_of_simdgroup : thread_count;
  const Waiting waiting = look(begin, end, at_simd);
  if (waiting.simd == 0) return false;
  if (waiting.simd != end - begin || waiting.elsewhere) {
    report("simd-divergence", waiting.first, waiting.first->where, 0,
           "%u of %u lanes are here; %u wait at another simd function, %u at a barrier, %u have returned", waiting.simd - waiting.elsewhere,
           end - begin, waiting.elsewhere, waiting.barrier, waiting.ended);
    diverged = true;
    return false;
  }
  if (!waiting.first->simd_barrier) {
    ++exchanges[simdgroup];
    lanes[simdgroup][exchanges[simdgroup] % 2].active = end - begin == 32 ? ~0u : (1u << (end - begin)) - 1;
  }
  for (unsigned order = device_memory; order <= threadgroup_memory; ++order) {
    if (waiting.first->simd_barrier && waiting.flags & order) ++simd_epochs[order][simdgroup];
  }
  for (unsigned id = begin; id < end; ++id) threads[id].state = ready;
  return true;
}

static bool release_threadgroup(bool& diverged) {
  const Waiting waiting = look(0, thread_count, at_barrier);
  if (waiting.barrier == 0) return false;
  if (waiting.barrier != thread_count || waiting.elsewhere) {
    report("barrier-divergence", waiting.first, waiting.first->where, 0,
           "%u of %u threads are here; %u wait at another barrier, %u have returned", waiting.barrier - waiting.elsewhere, thread_count,
           waiting.elsewhere, waiting.ended);
    diverged = true;
    return false;
  }
  for (unsigned order = device_memory; order <= threadgroup_memory; ++order) epochs[order] += (waiting.flags & order) != 0;
  for (unsigned id = 0; id < thread_count; ++id) threads[id].state = ready;
  return true;
}

// One after the other, with forbidden pages between, so that an overflow is a crash and not another thread's problem.
static void make_stacks() {
  const size_t bytes = max_threads * stack_bytes, forbidden = 64 << 10;
  stacks = (char*)mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stacks == MAP_FAILED) end_run("out of memory");
  for (unsigned id = 0; id < thread_count; ++id) mprotect(stacks + id * stack_bytes, forbidden, PROT_NONE);
}

bool run_group() {
  if (stacks == nullptr) make_stacks();
  for (unsigned id = 0; id < thread_count; ++id) start(id);
  for (unsigned order = 0; order < 3; ++order) ++epochs[order];
  forget_threadgroup_memory();
  for (;;) {
    for (unsigned id = 0; id < thread_count; ++id) {
      if (threads[id].state != ready) continue;
      current = &threads[id];
      swapcontext(&scheduler, &current->context);
      current = nullptr;
    }
    bool diverged = false, released = false;
    for (unsigned at = 0; at * lanes_of_simdgroup < thread_count; ++at) released |= release_simdgroup(at, diverged);
    if (diverged) return false;
    if (!released && !release_threadgroup(diverged)) return !diverged;
  }
}
