// A module as the compile server makes them, by hand: kernels that need no emulated machine.

#include <cstdint>
#include <cstdio>
#include <cstring>

struct MetileModuleBuffer {
  void* data;
  std::uint64_t bytes;
};

struct MetileModuleLaunch {
  const char* kernel;
  std::uint32_t groups[3], threads[3];
  MetileModuleBuffer buffers[31];
  std::uint32_t threadgroupBytes[31];
};

namespace {

template <class T>
T* at(const MetileModuleLaunch* launch, int slot) {
  return static_cast<T*>(launch->buffers[slot].data);
}

void vectorAdd(const MetileModuleLaunch* launch) {
  const std::uint32_t count = *at<const std::uint32_t>(launch, 3);
  const std::uint64_t threads = std::uint64_t{launch->groups[0]} * launch->threads[0];
  for (std::uint64_t index = 0; index < threads && index < count; index++) {
    at<float>(launch, 2)[index] = at<const float>(launch, 0)[index] + at<const float>(launch, 1)[index];
  }
}

void append(const MetileModuleLaunch* launch) {
  auto* list = at<std::uint32_t>(launch, 0);
  list[++list[0]] = *at<const std::uint32_t>(launch, 1);
}

/// Tells what arrives: threadgroups, threads, threadgroup memory and the bytes that are left of the buffer.
void describe(const MetileModuleLaunch* launch) {
  auto* facts = at<std::uint64_t>(launch, 0);
  for (int axis = 0; axis < 3; axis++) facts[axis] = launch->groups[axis];
  for (int axis = 0; axis < 3; axis++) facts[3 + axis] = launch->threads[axis];
  facts[6] = launch->threadgroupBytes[2];
  facts[7] = launch->buffers[0].bytes;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int metile_module_run(const MetileModuleLaunch* launch, char* message,
                                                                        std::uint64_t bytes) {
  if (std::strcmp(launch->kernel, "vector_add") == 0) return vectorAdd(launch), 0;
  if (std::strcmp(launch->kernel, "append") == 0) return append(launch), 0;
  if (std::strcmp(launch->kernel, "describe") == 0) return describe(launch), 0;
  if (std::strcmp(launch->kernel, "nothing") == 0) return 0;
  std::snprintf(message, bytes, "race: src/%s.metal:34: two threads write", launch->kernel);
  return 1;
}
