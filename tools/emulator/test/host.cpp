// A process that loads a module and launches a kernel, as a device does: on a thread of its own, with its own handler of
// faults.
//
// host MODULE KERNEL GROUPS×3 THREADS×3 REPEATS, then for each argument: buffer INDEX FILE, alias INDEX OTHER OFFSET,
// threadgroup INDEX BYTES. Bytes go back to their files. Prints the answer of the last run, its message, and what the
// resident memory grew by after the first tenth of the runs.
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "emulator/module.h"

static MetileModuleLaunch launch;
static const char* files[31];
static int (*run)(const MetileModuleLaunch*, char*, MetileBytes);
static int repeats, answer;
static char message[8192];
static long grown;

static sigjmp_buf after_fault;
static void own_handler(int, siginfo_t*, void*) { siglongjmp(after_fault, 1); }

static long resident() {
  long pages = 0, all = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == nullptr || fscanf(file, "%ld %ld", &all, &pages) != 2) return 0;
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void* work(void*) {
  long before = 0;
  for (int i = 0; i < repeats; ++i) {
    if (i == repeats / 10) before = resident();
    answer = run(&launch, message, sizeof message);
  }
  grown = resident() - before;
  if (sigsetjmp(after_fault, 1) == 0) *(volatile int*)8 = 1;
  else puts("own fault handled");
  return nullptr;
}

static void take_file(unsigned index, const char* path) {
  FILE* file = fopen(path, "rb");
  fseek(file, 0, SEEK_END);
  const size_t bytes = (size_t)ftell(file);
  rewind(file);
  void* data = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096 + 4096);
  if (fread(data, 1, bytes, file) != bytes) exit(2);
  fclose(file);
  launch.buffers[index] = {data, bytes};
  files[index] = path;
}

int main(int count, char** words) {
  void* library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    puts(dlerror());
    return 2;
  }
  *(void**)&run = dlsym(library, "metile_module_run");
  launch.kernel = words[2];
  for (int axis = 0; axis < 3; ++axis) {
    launch.groups[axis] = (MetileWord)atoi(words[3 + axis]);
    launch.threads[axis] = (MetileWord)atoi(words[6 + axis]);
  }
  repeats = atoi(words[9]);
  for (int at = 10; at < count;) {
    const unsigned index = (unsigned)atoi(words[at + 1]);
    if (strcmp(words[at], "buffer") == 0) {
      take_file(index, words[at + 2]);
      at += 3;
    } else if (strcmp(words[at], "alias") == 0) {
      const MetileModuleBuffer& other = launch.buffers[atoi(words[at + 2])];
      const MetileBytes offset = strtoull(words[at + 3], nullptr, 10);
      launch.buffers[index] = {(char*)other.data + offset, other.bytes - offset};
      at += 4;
    } else {
      launch.threadgroupBytes[index] = (MetileWord)atoi(words[at + 2]);
      at += 3;
    }
  }
  struct sigaction action = {};
  action.sa_sigaction = own_handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_join(thread, nullptr);
  printf("%d\n%ld\n%s\n", answer, grown, message);
  for (unsigned index = 0; index < 31; ++index) {
    if (files[index] == nullptr) continue;
    FILE* file = fopen(files[index], "wb");
    fwrite(launch.buffers[index].data, 1, launch.buffers[index].bytes, file);
    fclose(file);
  }
  return 0;
}
