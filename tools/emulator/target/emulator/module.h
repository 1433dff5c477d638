// The face of a compiled module: what its host calls, and what it hands to the machine. C's types alone.
#pragma once
#include "thread.h"

typedef __UINT32_TYPE__ MetileWord;
typedef __UINT64_TYPE__ MetileBytes;

struct MetileModuleBuffer {
  void* data;        // null: nothing is bound
  MetileBytes bytes; // from data to the end of the buffer
};
struct MetileModuleLaunch {
  const char* kernel;
  MetileWord groups[3], threads[3]; // threads of a threadgroup
  MetileModuleBuffer buffers[31];
  MetileWord threadgroupBytes[31];
};

struct MetileModule {
  const MetileKernel* kernels;
  unsigned kernel_count;
  char *shared_begin, *shared_end; // variables in threadgroup memory, of all kernels
  const char *begin, *end;         // the module's image
};

extern "C" int metile_machine_run(const MetileModule*, const MetileModuleLaunch*, char* message, MetileBytes message_bytes);

// Put once at the end of a module's text, behind metile_kernels.
#define METILE_MODULE(count) \
  extern "C" { \
  extern __attribute__((weak, visibility("hidden"))) char __start_metile_shared[], __stop_metile_shared[]; \
  extern __attribute__((visibility("hidden"))) const char __ehdr_start[], _end[]; \
  __attribute__((visibility("default"))) int metile_module_run(const MetileModuleLaunch* launch, char* message, MetileBytes bytes) { \
    const MetileModule module = {metile_kernels, count, __start_metile_shared, __stop_metile_shared, __ehdr_start, _end}; \
    return metile_machine_run(&module, launch, message, bytes); \
  } \
  }
