#include "order.h"

#include <algorithm>

#include "../runtime/switches.h"

namespace standin {

namespace {

bool uses(const Work& work, const Command& dispatch, const std::vector<Object*>& resources) {
  for (std::uint32_t index = 0; index < dispatch.bindings; index++) {
    Object* buffer = work.bindings[dispatch.firstBinding + index].buffer;
    if (std::find(resources.begin(), resources.end(), buffer) != resources.end()) return true;
  }
  return false;
}

/// Whether a barrier between the two makes `later` wait for `earlier`.
bool ordered(const Work& work, std::size_t earlier, std::size_t later) {
  for (std::size_t index = earlier + 1; index < later; index++) {
    const Command& barrier = work.commands[index];
    if (barrier.kind != Command::Kind::barrier) continue;
    if (barrier.resources.empty()) return true;
    if (uses(work, work.commands[earlier], barrier.resources) && uses(work, work.commands[later], barrier.resources)) {
      return true;
    }
  }
  return false;
}

std::size_t choose(std::size_t count) {
  static thread_local std::uint64_t state = switches().seed;
  if (switches().seed == 0) return count - 1;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<std::size_t>(state >> 33) % count;
}

/// Dispatches of which none is ordered by a whole barrier, in an order that the barriers of resources allow.
void orderSegment(const Work& work, std::vector<std::size_t> segment, bool partial, std::vector<std::size_t>& order) {
  std::vector<std::size_t> ready;
  while (!segment.empty()) {
    ready.clear();
    for (std::size_t place = 0; place < segment.size(); place++) {
      bool free = true;
      for (std::size_t before = 0; partial && before < place && free; before++) {
        free = !ordered(work, segment[before], segment[place]);
      }
      if (free) ready.push_back(place);
    }
    const std::size_t place = ready[choose(ready.size())];
    order.push_back(segment[place]);
    segment.erase(segment.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

}  // namespace

std::vector<std::size_t> concurrentOrder(const Work& work) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> segment;
  bool partial = false;
  for (std::size_t index = 0; index < work.commands.size(); index++) {
    const Command& command = work.commands[index];
    if (command.kind != Command::Kind::barrier) {
      segment.push_back(index);
    } else if (!command.resources.empty()) {
      partial = true;
    } else {
      orderSegment(work, std::move(segment), partial, order);
      segment = {};
      partial = false;
    }
  }
  orderSegment(work, std::move(segment), partial, order);
  return order;
}

}  // namespace standin
