#include "memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "../runtime/counters.h"
#include "../runtime/switches.h"

namespace standin {

namespace {

constexpr std::size_t mappedFrom = 4 * pageBytes;
constexpr std::size_t fence = pageBytes;
constexpr std::size_t filledAtMost = 64ul << 20;
constexpr int newByte = 0xff;    // NaN in float, half and bfloat
constexpr int freedByte = 0xfe;  // a NaN in bfloat and half, a huge number in float

std::atomic<long> failures{0};

bool mustFail() {
  long left = failures.load();
  while (left > 0) {
    if (failures.compare_exchange_weak(left, left - 1)) return true;
  }
  return false;
}

/// Counts the bytes in unless they exceed the limit.
bool count(std::size_t bytes) {
  const long now = counters().bytes.fetch_add(static_cast<long>(bytes)) + static_cast<long>(bytes);
  if (switches().memory != 0 && now > static_cast<long>(switches().memory)) {
    counters().bytes.fetch_sub(static_cast<long>(bytes));
    return false;
  }
  long peak = counters().peakBytes.load();
  while (now > peak && !counters().peakBytes.compare_exchange_weak(peak, now)) {
  }
  return true;
}

/// Pages and behind them a fence that nobody may touch.
void* map(std::size_t bytes) {
  const std::size_t whole = roundToPage(bytes) + fence;
  void* start = ::mmap(nullptr, whole + pageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  auto* first = static_cast<char*>(start);
  auto* aligned = reinterpret_cast<char*>(roundToPage(reinterpret_cast<std::size_t>(first)));
  if (aligned > first) ::munmap(first, static_cast<std::size_t>(aligned - first));
  char* end = aligned + whole;
  if (end < first + whole + pageBytes) ::munmap(end, static_cast<std::size_t>(first + whole + pageBytes - end));
  if (::mprotect(aligned, roundToPage(bytes), PROT_READ | PROT_WRITE) == 0) return aligned;
  ::munmap(aligned, whole);
  return nullptr;
}

/// The last small pieces that were freed keep their addresses.
void bury(void* memory) {
  static std::atomic<void*> places[64];
  static std::atomic<std::size_t> next{0};
  std::free(places[next.fetch_add(1) % 64].exchange(memory));
}

/// As `bury`, of mapped pieces: without memory behind them, an access ends the program.
void buryMapping(void* memory, std::size_t bytes) {
  struct Piece {
    void* memory;
    std::size_t bytes;
  };
  static std::mutex mutex;
  static Piece places[256];
  static std::size_t next = 0;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  ::mmap(memory, bytes, PROT_NONE, flags, -1, 0);
  const std::lock_guard lock(mutex);
  Piece& place = places[next++ % 256];
  if (place.memory != nullptr) ::munmap(place.memory, place.bytes);
  place = {memory, bytes};
}

}  // namespace

void* allocateMemory(std::size_t bytes) {
  if (mustFail()) return nullptr;
  const std::size_t whole = roundToPage(bytes);
  if (!count(whole)) return nullptr;
  void* memory = bytes >= mappedFrom ? map(bytes) : std::aligned_alloc(pageBytes, whole);
  if (memory == nullptr) {
    counters().bytes.fetch_sub(static_cast<long>(whole));
    return nullptr;
  }
  std::memset(memory, newByte, std::min(bytes, filledAtMost));
  return memory;
}

void freeMemory(void* memory, std::size_t bytes) {
  counters().bytes.fetch_sub(static_cast<long>(roundToPage(bytes)));
  if (bytes >= mappedFrom) {
    buryMapping(memory, roundToPage(bytes) + fence);
    return;
  }
  std::memset(memory, freedByte, bytes);
  bury(memory);
}

void failAllocations(long count) { failures.store(count); }

}  // namespace standin
