// Runs one launch for the process that loaded the module. One at a time: whoever calls holds a lock over all modules.
#include "module.h"
#include <stdio.h>
#include <string.h>

static const MetileKernel* find(const MetileModule& module, const char* name) {
  for (unsigned i = 0; i < module.kernel_count; ++i) {
    if (strcmp(module.kernels[i].name, name) == 0) return &module.kernels[i];
  }
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) int metile_machine_run(const MetileModule* module, const MetileModuleLaunch* launch,
                                                                         char* message, MetileBytes message_bytes) {
  const MetileKernel* kernel = find(*module, launch->kernel);
  if (kernel == nullptr) {
    snprintf(message, message_bytes, "no kernel %s in this module", launch->kernel);
    return 1;
  }
  const uint64_t threads = (uint64_t)launch->threads[0] * launch->threads[1] * launch->threads[2];
  if (threads == 0 || threads > max_threads) {
    snprintf(message, message_bytes, "%s: a threadgroup of %lu threads; 1 to %u are possible", kernel->name, (unsigned long)threads, max_threads);
    return 1;
  }
  program = {kernel->run, module->shared_begin, module->shared_end, (Address)module->begin, (Address)module->end};
  memcpy(group_counts, launch->groups, sizeof group_counts);
  memcpy(thread_counts, launch->threads, sizeof thread_counts);
  thread_count = (unsigned)threads;
  begin_reports(*module, *kernel, message, message_bytes);
  const char* problem = bind(*kernel, *launch);
  if (problem == nullptr) {
    catch_faults();
    run_grid();
    release_faults();
  } else report("crash", nullptr, 0, 0, "%s", problem);
  unbind();
  return report_count() == 0 ? 0 : 1;
}
