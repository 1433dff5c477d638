// Memory of a launch that is watched: the kernel works on copies with nothing around them, so that an access past a buffer
// is told from one to its neighbour. What it wrote is copied back. Histories last for one launch.
//
// Large buffers stay where they are and have no history: of them only bounds are watched.
#include "module.h"
#include <string.h>
#include <time.h>

static const size_t history_limit = 4 << 20; // bytes of all buffers of a launch that have a history, of some 70 bytes each

static const int seconds_to_end = 60;

struct Copy {
  char *original, *memory; // memory: null where the original is used
  size_t reserved;
};
static Copy copies[max_regions]; // of the region with the same index
static char names[max_regions][128];

struct Slot { // a bound buffer
  const MetileParameter* parameter;
  char* begin;
  size_t bytes;
};

static bool overlap(const Slot& a, const Slot& b) {
  return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
}

// Bound buffers that overlap are one: who writes through one of them writes the others.
static void merge(const Slot* slots, unsigned count, unsigned* leader) {
  for (unsigned i = 0; i < count; ++i) leader[i] = i;
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned j = 0; j < i; ++j) {
      if (!overlap(slots[i], slots[j]) || leader[i] == leader[j]) continue;
      const unsigned from = leader[i] > leader[j] ? leader[i] : leader[j], to = leader[i] < leader[j] ? leader[i] : leader[j];
      for (unsigned k = 0; k <= i; ++k) leader[k] = leader[k] == from ? to : leader[k];
    }
  }
}

static void name_region(char* name, const char* more) {
  const size_t used = strlen(name), added = strlen(more), separator = used > 0 ? 3 : 0;
  if (used + separator + added + 1 > sizeof *names) return;
  memcpy(name + used, " = ", separator);
  memcpy(name + used + separator, more, added + 1);
}

static Region* make(Kind kind, const char* name, char* original, size_t bytes, bool writable, size_t& watched) {
  const bool small = watched + bytes <= history_limit;
  // alignment stays what it was; but a device aligns the bytes of constants itself
  const size_t shift = kind == constant_region ? 0 : (size_t)((Address)original % 4096);
  const size_t reserved = shift + bytes + 2 * slack;
  char* memory = small ? (char*)reserve(reserved) : nullptr;
  if (small && memory == nullptr) return nullptr;
  Region* region = add_region(kind, name, small ? memory + slack + shift : original, bytes, writable, kind == threadgroup_region);
  copies[region - regions] = {original, memory, reserved};
  if (!small) return region;
  watched += bytes;
  region->room = slack;
  if (original) memcpy(region->begin, original, bytes);
  return kind == constant_region || keep_history(*region) ? region : nullptr;
}

static const char* bind_buffers(const Slot* slots, unsigned count, size_t& watched) {
  unsigned leader[31];
  merge(slots, count, leader);
  for (unsigned first = 0; first < count; ++first) {
    if (leader[first] != first) continue;
    char *begin = slots[first].begin, *end = begin + slots[first].bytes, *name = names[region_count];
    bool constant = true, writable = false;
    *name = 0;
    for (unsigned i = first; i < count; ++i) {
      if (leader[i] != first) continue;
      const Slot& slot = slots[i];
      begin = slot.begin < begin ? slot.begin : begin;
      end = slot.begin + slot.bytes > end ? slot.begin + slot.bytes : end;
      constant &= slot.parameter->access == metile_constant;
      writable |= slot.parameter->access == metile_writes;
      name_region(name, slot.parameter->name);
    }
    const Region* region = make(constant ? constant_region : device_region, name, begin, (size_t)(end - begin), writable, watched);
    if (region == nullptr) return "no memory left to watch it";
    for (unsigned i = first; i < count; ++i) {
      if (leader[i] == first) start.arguments[slots[i].parameter->index] = region->begin + (slots[i].begin - begin);
    }
  }
  return nullptr;
}

const char* bind(const MetileKernel& kernel, const MetileModuleLaunch& launch) {
  deadline = time(nullptr) + seconds_to_end;
  region_count = 0;
  size_t watched = 0;
  Slot slots[31];
  unsigned count = 0;
  for (unsigned i = 0; i < kernel.parameter_count; ++i) {
    const MetileParameter& parameter = kernel.parameters[i];
    if (parameter.access == metile_scratch) {
      const Region* region = make(threadgroup_region, parameter.name, nullptr, launch.threadgroupBytes[parameter.index], true, watched);
      if (region == nullptr || region->history == nullptr) return "no memory left to watch it";
      start.scratch[parameter.index] = region->begin;
      continue;
    }
    const MetileModuleBuffer& buffer = launch.buffers[parameter.index];
    start.arguments[parameter.index] = nullptr;
    if (buffer.data) slots[count++] = {&parameter, (char*)buffer.data, buffer.bytes};
  }
  const size_t shared = (size_t)(program.shared_end - program.shared_begin);
  if (shared > 0 && !keep_history(*add_region(threadgroup_region, "threadgroup variables", program.shared_begin, shared, true, true))) {
    return "no memory left to watch it";
  }
  return bind_buffers(slots, count, watched);
}

// Only what the kernel wrote: others may have written beside it meanwhile.
static void copy_back(const Region& region, char* original) {
  for (size_t at = 0; at < region.bytes;) {
    const size_t first = at;
    while (at < region.bytes && region.history[at].write.thread) ++at;
    if (at > first) memcpy(original + first, region.begin + first, at - first);
    else ++at;
  }
}

void unbind() {
  for (unsigned i = 0; i < region_count; ++i) {
    const Region& region = regions[i];
    Copy& copy = copies[i];
    if (copy.memory && copy.original && region.writable && region.history) copy_back(region, copy.original);
    if (region.history) release(region.history, (region.bytes + 1) * sizeof(Byte));
    release(copy.memory, copy.reserved);
    copy = {};
  }
  region_count = 0;
}
