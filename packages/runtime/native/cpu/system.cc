#include "system.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#if defined(__linux__)
#include <sched.h>
#endif

namespace metile::system {
namespace {

#if defined(__linux__)
// The limit of the control group, in bytes; the largest number without one.
std::uint64_t groupLimit() {
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::FILE* file = std::fopen(path, "re");
    if (file == nullptr) continue;
    unsigned long long bytes = 0;
    const bool found = std::fscanf(file, "%llu", &bytes) == 1 && bytes > 0;  // "max" is no number
    std::fclose(file);
    if (found) return bytes;
  }
  return UINT64_MAX;
}
#else
std::uint64_t groupLimit() { return UINT64_MAX; }
#endif

}  // namespace

void* mapPages(std::size_t bytes) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t length = (bytes + page - 1) / page * page;
  if (length < bytes || length > SIZE_MAX - hugePage) return nullptr;
  void* found = mmap(nullptr, length + hugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) return nullptr;
  // Cut what lies before the first boundary and after the length.
  char* start = static_cast<char*>(found);
  const std::size_t before = (hugePage - reinterpret_cast<std::uintptr_t>(start) % hugePage) % hugePage;
  if (before > 0) munmap(start, before);
  start += before;
  if (before < hugePage) munmap(start + length, hugePage - before);
#if defined(__linux__)
  if (length >= hugePage) madvise(start, length, MADV_HUGEPAGE);
#endif
  return start;
}

void unmapPages(void* start, std::size_t bytes) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  munmap(start, (bytes + page - 1) / page * page);
}

bool dropPages(void* start, std::size_t bytes) {
#if defined(__linux__)
  return madvise(start, bytes, MADV_DONTNEED) == 0;
#else
  return mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == start;
#endif
}

std::uint64_t physicalMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return UINT64_MAX;
  return std::min(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size), groupLimit());
}

unsigned cores() {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    const int count = CPU_COUNT(&set);
    if (count > 0) return static_cast<unsigned>(count);
  }
#endif
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? static_cast<unsigned>(online) : 1;
}

}  // namespace metile::system
