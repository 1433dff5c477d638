// Runs one launch: program GROUPS_X GROUPS_Y GROUPS_Z THREADS SECONDS, then for each argument of the kernel
// KIND INDEX NAME and the file of its bytes, or for threadgroup memory the number of bytes.
#include "machine.h"
#include <ucontext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where the linker puts the program, and the variables of its kernel in threadgroup memory.
extern "C" {
extern const char __ehdr_start, _end;
extern __attribute__((weak)) char __start_metile_shared[], __stop_metile_shared[];
void metile_thread(); // one thread of the kernel; the compiled text defines it
}

static const char* paths[max_regions]; // files of the bytes of regions that are written back

static size_t size_of(FILE* file) {
  fseek(file, 0, SEEK_END);
  const long bytes = ftell(file);
  rewind(file);
  return (size_t)bytes;
}

static Region* add(Kind kind, const char* name, size_t bytes, bool writable, bool fresh) {
  char* memory = (char*)reserve(bytes + 2 * slack);
  Region* region = memory ? add_region(kind, name, memory + slack, bytes, writable, fresh) : nullptr;
  if (region == nullptr || (kind != constant_region && !keep_history(*region))) end_run("out of memory");
  region->room = slack;
  if (fresh) memset(region->begin, 0xff, bytes);
  return region;
}

static void take(const char* kind, unsigned index, const char* name, const char* what) {
  if (strcmp(kind, "threadgroup") == 0) {
    start.scratch[index] = add(threadgroup_region, name, strtoull(what, nullptr, 10), true, true)->begin;
    return;
  }
  FILE* file = strcmp(kind, "absent") == 0 ? nullptr : fopen(what, "rb");
  const size_t bytes = file ? size_of(file) : 0;
  const bool output = strcmp(kind, "output") == 0, writable = output || strcmp(kind, "update") == 0;
  Region* region = add(strcmp(kind, "constant") == 0 ? constant_region : device_region, name, bytes, writable, output);
  start.arguments[index] = region->begin;
  if (file && !output && fread(region->begin, 1, bytes, file) != bytes) end_run("an argument cannot be read");
  if (file) fclose(file);
  if (writable) paths[region - regions] = what;
}

static void write_back() {
  for (unsigned i = 0; i < region_count; ++i) {
    if (paths[i] == nullptr) continue;
    FILE* file = fopen(paths[i], "wb");
    if (file == nullptr || fwrite(regions[i].begin, 1, regions[i].bytes, file) != regions[i].bytes) end_run("a result cannot be written");
    fclose(file);
  }
}

static void fail(int signal, siginfo_t*, void* state) {
  Address where = 0;
#if defined(__x86_64__)
  where = (Address)((ucontext_t*)state)->uc_mcontext.gregs[16] + 1; // the instruction itself, as if it were a call
#elif defined(__aarch64__)
  where = (Address)((ucontext_t*)state)->uc_mcontext.pc + 1;
#endif
  if (signal == SIGALRM) report("timeout", current, where, 0, "the kernel did not end in time");
  else report("crash", current, where, 0, "signal %d", signal);
  end_run("stopped");
}

static void watch(unsigned seconds) {
  static char stack[65536];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = fail;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
  for (int signal : signals) sigaction(signal, &action, nullptr);
  alarm(seconds);
}

int main(int count, char** words) {
  if (count < 6) return 2;
  program = {metile_thread, __start_metile_shared, __stop_metile_shared, (Address)&__ehdr_start, (Address)&_end};
  for (unsigned axis = 0; axis < 3; ++axis) group_counts[axis] = (unsigned)atoi(words[1 + axis]);
  thread_counts[0] = thread_count = (unsigned)atoi(words[4]);
  thread_counts[1] = thread_counts[2] = 1;
  for (int at = 6; at + 3 < count; at += 4) take(words[at], (unsigned)atoi(words[at + 1]), words[at + 2], words[at + 3]);
  const size_t statics = (size_t)(__stop_metile_shared - __start_metile_shared);
  if (statics > 0 && !keep_history(*add_region(threadgroup_region, "threadgroup variables", __start_metile_shared, statics, true, true))) {
    end_run("out of memory");
  }
  watch((unsigned)atoi(words[5]));
  if (!run_grid()) end_run("stopped");
  report_unwritten();
  write_back();
  end_run("completed");
}
