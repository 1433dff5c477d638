#include "order.h"

#include <algorithm>

#include "../runtime/switches.h"

namespace standin {

namespace {

/// Longer segments take a barrier of resources for a whole one: looking at all pairs would cost too much.
constexpr std::size_t partialAtMost = 32;

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

/// Places in the segment of dispatches that wait for none that is still in it.
std::vector<std::size_t> ready(const Work& work, const std::vector<std::size_t>& segment) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < segment.size(); place++) {
    bool free = true;
    for (std::size_t before = 0; before < place && free; before++) {
      free = !ordered(work, segment[before], segment[place]);
    }
    if (free) places.push_back(place);
  }
  return places;
}

/// Dispatches that no whole barrier parts; `partial` tells that barriers of resources stand among them.
void orderSegment(const Work& work, std::vector<std::size_t> segment, bool partial, std::vector<std::size_t>& order) {
  while (!segment.empty()) {
    std::size_t place = 0;
    if (partial) {
      const std::vector<std::size_t> places = ready(work, segment);
      place = places[choose(places.size())];
    } else {
      place = choose(segment.size());
    }
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
    } else if (!command.resources.empty() && segment.size() < partialAtMost) {
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
