// Threads of one threadgroup as fibers: each runs until it waits at a barrier or a simd function, or ends.
//
// One simdgroup after the other goes as far as it can. A thread that never waits leaves its stack to the next one, so that
// kernels without barriers are a plain loop over threads.
#include "machine.h"
#include <string.h>

Thread* current;
Program program;
MetileStart start;
unsigned group_number, group_position[3], group_counts[3];
unsigned thread_count, thread_counts[3];
unsigned epochs[3], simd_epochs[3][max_threads / lanes_of_simdgroup];
bool stopped;

static Thread threads[max_threads];
static void* scheduler;
static MetileLanes lanes[max_threads / lanes_of_simdgroup][2];
static unsigned exchanges[max_threads / lanes_of_simdgroup];
static unsigned free_stacks[max_threads], free_count;

static void leave(Thread* self);
static void wait(State state, unsigned flags, bool simd_barrier, Address where) {
  Thread* self = current;
  self->state = state;
  self->flags = flags;
  self->simd_barrier = simd_barrier;
  self->where = where;
  leave(self);
}

extern "C" {
void metile_barrier(unsigned flags) { wait(at_barrier, flags, false, HERE); }
void metile_simdgroup_barrier(unsigned flags) { wait(at_simd, flags, true, HERE); }
const MetileLanes* metile_exchange(const void* value, unsigned bytes) {
  // two sets in turn: a lane may bring its next value before others have read this one
  MetileLanes* set = &lanes[current->simdgroup][(exchanges[current->simdgroup] + 1) % 2];
  memcpy(set->values[current->lane], value, bytes);
  wait(at_simd, 0, false, HERE);
  return set;
}
void metile_lane_missing(unsigned lane) {
  report("missing-lane", current, HERE, 0, "lane %u is asked for, which does not take part", lane);
}
void metile_keep(const MetileLanes* set, const void* result, unsigned bytes) {
  MetileLanes* own = const_cast<MetileLanes*>(set);
  memcpy(own->result, result, bytes);
  own->kept = 1;
}
const MetileStart* metile_start() { return &start; }
unsigned metile_lane_index() { return current->lane; }
}

bool of_simdgroups(Address address) { return address >= (Address)lanes && address < (Address)lanes + sizeof lanes; }

static unsigned end_of_simdgroup(unsigned simdgroup) {
  const unsigned end = (simdgroup + 1) * lanes_of_simdgroup;
  return end < thread_count ? end : thread_count;
}

static void write_start(const Thread& thread) {
  unsigned (*positions)[3] = start.positions;
  const unsigned x = thread_counts[0], y = thread_counts[1], id = thread.id;
  positions[metile_in_group][0] = id % x;
  positions[metile_in_group][1] = id / x % y;
  positions[metile_in_group][2] = id / x / y;
  positions[metile_index][0] = id;
  positions[metile_lane][0] = thread.lane;
  positions[metile_simdgroup][0] = thread.simdgroup;
}

// The life of a stack: its thread, then others of the simdgroup that have not begun.
static void live() {
  for (;;) {
    program.run();
    Thread* self = current;
    self->state = done;
#ifndef METILE_WATCHED // there a thread's stack is its own, so that others that reach into it are found
    const unsigned next = self->id + 1;
    if (next < end_of_simdgroup(self->simdgroup) && threads[next].state == fresh) {
      threads[next].stack = self->stack;
      current = &threads[next];
      write_start(*current);
      continue;
    }
#endif
    free_stacks[free_count++] = self->stack;
    leave(self);
  }
}

static void prepare(unsigned id) {
  Thread& thread = threads[id];
  thread.state = fresh;
  thread.id = id;
  thread.lane = id % lanes_of_simdgroup;
  thread.simdgroup = id / lanes_of_simdgroup;
  thread.depth = 0;
}

static bool can_run(const Thread& thread) { return thread.state == fresh || thread.state == ready; }

// Makes a thread the present one; gives what to switch to.
static void* enter(Thread& thread) {
  if (thread.state == fresh) {
#ifdef METILE_WATCHED
    thread.stack = thread.id;
#else
    thread.stack = free_stacks[--free_count];
#endif
    thread.context = new_context(thread.stack, live);
    write_start(thread);
  }
  thread.state = ready;
  current = &thread;
  return thread.context;
}

// Goes on with the next lane, or with the scheduler behind the last one.
static void leave(Thread* self) {
  const unsigned next = self->id + 1;
  const bool is_last = !(next < end_of_simdgroup(self->simdgroup) && can_run(threads[next]));
  metile_switch(&self->context, is_last ? scheduler : enter(threads[next]));
}

static void run_thread(Thread& thread) {
  metile_switch(&scheduler, enter(thread));
  current = nullptr;
}

// Whether two threads wait at the same place, by the same calls. Optimised code may have one place twice, or two as one.
static bool same_place(const Thread& a, const Thread& b) {
#ifdef METILE_WATCHED
  return a.where == b.where && a.depth == b.depth && memcmp(a.calls + 1, b.calls + 1, (a.depth ? a.depth - 1 : 0) * sizeof *a.calls) == 0;
#else
  return a.simd_barrier == b.simd_barrier;
#endif
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

enum Outcome { goes_on, waits, diverged };

// Lets a simdgroup go on whose lanes are all at one place.
static Outcome release_simdgroup(unsigned simdgroup) {
  const unsigned first = simdgroup * lanes_of_simdgroup, end = end_of_simdgroup(simdgroup);
  const Waiting waiting = look(first, end, at_simd);
  if (waiting.simd == 0) return waits;
  if (waiting.simd != end - first || waiting.elsewhere) {
    report("simd-divergence", waiting.first, waiting.first->where, 0,
           "%u of %u lanes are here; %u wait at another simd function, %u at a barrier, %u have returned", waiting.simd - waiting.elsewhere,
           end - first, waiting.elsewhere, waiting.barrier, waiting.ended);
    return diverged;
  }
  if (!waiting.first->simd_barrier) {
    ++exchanges[simdgroup];
    MetileLanes& set = lanes[simdgroup][exchanges[simdgroup] % 2];
    set.active = end - first == 32 ? ~0u : (1u << (end - first)) - 1;
    set.kept = 0;
  }
  for (unsigned order = device_memory; order <= threadgroup_memory; ++order) {
    if (waiting.first->simd_barrier && waiting.flags & order) ++simd_epochs[order][simdgroup];
  }
  for (unsigned id = first; id < end; ++id) threads[id].state = ready;
  return goes_on;
}

static Outcome run_simdgroup(unsigned simdgroup) {
  const unsigned first = simdgroup * lanes_of_simdgroup, end = end_of_simdgroup(simdgroup);
  for (;;) {
    for (unsigned id = first; id < end; ++id) {
      if (!can_run(threads[id])) continue;
      run_thread(threads[id]);
      if (stopped) return diverged;
    }
    const Outcome outcome = release_simdgroup(simdgroup);
    if (outcome != goes_on) return outcome;
  }
}

static Outcome release_threadgroup() {
  const Waiting waiting = look(0, thread_count, at_barrier);
  if (waiting.barrier == 0) return waits;
  if (waiting.barrier != thread_count || waiting.elsewhere) {
    report("barrier-divergence", waiting.first, waiting.first->where, 0,
           "%u of %u threads are here; %u wait at another barrier, %u have returned", waiting.barrier - waiting.elsewhere, thread_count,
           waiting.elsewhere, waiting.ended);
    return diverged;
  }
  for (unsigned order = device_memory; order <= threadgroup_memory; ++order) epochs[order] += (waiting.flags & order) != 0;
  for (unsigned id = 0; id < thread_count; ++id) threads[id].state = ready;
  return goes_on;
}

static bool run_group() {
  for (unsigned id = 0; id < thread_count; ++id) prepare(id);
  for (unsigned order = 0; order < 3; ++order) ++epochs[order];
  forget_threadgroup_memory();
  for (;;) {
    for (unsigned simdgroup = 0; simdgroup * lanes_of_simdgroup < thread_count; ++simdgroup) {
      if (run_simdgroup(simdgroup) == diverged) return false;
    }
    const Outcome outcome = release_threadgroup();
    if (outcome != goes_on) return outcome == waits;
  }
}

void leave_run() {
  stopped = true;
  void* lost;
  if (current) metile_switch(&lost, scheduler);
}

static void write_counts() {
  memcpy(start.positions[metile_groups], group_counts, sizeof group_counts);
  memcpy(start.positions[metile_threads], thread_counts, sizeof thread_counts);
  start.positions[metile_simdgroups][0] = (thread_count + lanes_of_simdgroup - 1) / lanes_of_simdgroup;
}

bool run_grid() {
  stopped = false;
  write_counts();
  group_number = 0;
  if (!make_stacks(thread_count)) {
    end_run("out of memory");
    return false;
  }
  free_count = thread_count;
  for (unsigned stack = 0; stack < thread_count; ++stack) free_stacks[stack] = thread_count - 1 - stack;
  for (unsigned z = 0; z < group_counts[2]; ++z) {
    for (unsigned y = 0; y < group_counts[1]; ++y) {
      for (unsigned x = 0; x < group_counts[0]; ++x, ++group_number) {
        group_position[0] = x;
        group_position[1] = y;
        group_position[2] = z;
        memcpy(start.positions[metile_group], group_position, sizeof group_position);
        if (!run_group()) return false;
      }
    }
  }
  return true;
}
