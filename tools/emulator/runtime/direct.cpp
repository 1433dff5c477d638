// Memory of a launch that nobody watches: buffers as they are, and threadgroup memory that every threadgroup finds full of
// NaN, so that what is read before it is written shows.
#include "module.h"
#include <string.h>

static const size_t arena_bytes = 64 << 10, alignment = 64;
static __attribute__((aligned(64))) char arena[arena_bytes];
static size_t used;

// Bytes of constants, as far as they are set by value: a device aligns them itself.
static const size_t constant_bytes = 4096;
static __attribute__((aligned(64))) char constants[31][constant_bytes];

static void bind_constant(unsigned index, const MetileModuleBuffer& buffer) {
  if ((Address)buffer.data % alignment == 0 || buffer.bytes > constant_bytes) return;
  memcpy(constants[index], buffer.data, buffer.bytes);
  start.arguments[index] = constants[index];
}

const char* bind(const MetileKernel& kernel, const MetileModuleLaunch& launch) {
  for (unsigned i = 0; i < 31; ++i) start.arguments[i] = launch.buffers[i].data;
  used = 0;
  for (unsigned i = 0; i < kernel.parameter_count; ++i) {
    const MetileParameter& parameter = kernel.parameters[i];
    if (parameter.access == metile_constant) bind_constant(parameter.index, launch.buffers[parameter.index]);
    if (parameter.access != metile_scratch) continue;
    const size_t bytes = launch.threadgroupBytes[parameter.index];
    start.scratch[parameter.index] = bytes > 0 ? arena + used : nullptr;
    used += (bytes + alignment - 1) / alignment * alignment;
    if (used > arena_bytes) return "more than 64 KiB of threadgroup memory";
  }
  return nullptr;
}
void unbind() {}

void forget_threadgroup_memory() {
  memset(arena, 0xff, used);
  memset(program.shared_begin, 0xff, (size_t)(program.shared_end - program.shared_begin));
}
