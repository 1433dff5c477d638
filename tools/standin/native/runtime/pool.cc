// Autorelease pools: a stack for each thread. Tokens name thread and depth, so that a wrong one is recognised.

#include <vector>

#include "counters.h"
#include "object.h"
#include "pool.h"
#include "violation.h"

namespace standin {

namespace {

std::atomic<std::uint64_t> nextThread{1};

struct Pools {
  std::vector<Object*> objects;
  std::vector<std::size_t> marks;  // where each pool begins
  std::uint64_t thread = nextThread.fetch_add(1);

  // What is left at a thread's end was never released.
  ~Pools() {
    if (!marks.empty()) counters().poolLeaks.fetch_add(static_cast<long>(objects.size() - marks.front()));
  }
};

Pools& pools() {
  static thread_local Pools own;
  return own;
}

}  // namespace

void* pushPool() {
  Pools& own = pools();
  own.marks.push_back(own.objects.size());
  return reinterpret_cast<void*>(own.thread << 24 | own.marks.size());
}

void popPool(void* token) {
  Pools& own = pools();
  const auto bits = reinterpret_cast<std::uintptr_t>(token);
  if (bits >> 24 != own.thread) violationOutside("an autorelease pool popped by another thread");
  const std::size_t depth = bits & 0xffffff;
  if (depth > own.marks.size()) violationOutside("an autorelease pool popped twice");
  if (depth < own.marks.size()) violationOutside("autorelease pools popped out of order");
  // A release may autorelease in turn.
  while (own.objects.size() > own.marks.back()) {
    Object* object = own.objects.back();
    own.objects.pop_back();
    release(object);
  }
  own.marks.pop_back();
}

Object* autorelease(Object* object) {
  if (object == nullptr) return nullptr;
  requireAlive(object, "an autoreleased object");
  Pools& own = pools();
  if (own.marks.empty()) counters().poolLeaks.fetch_add(1);
  own.objects.push_back(object);
  return object;
}

}  // namespace standin

STANDIN_API void* objc_autoreleasePoolPush() { return standin::pushPool(); }

STANDIN_API void objc_autoreleasePoolPop(void* token) { standin::popPool(token); }
