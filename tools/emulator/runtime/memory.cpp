// Memory with its history: bounds, races, and reads of what nobody wrote.
//
// Two touches of a byte by different threads, one of them a write and not both atomic, race unless a barrier that orders
// this kind of memory lies between: one of the threadgroup, or of the simdgroup when both are in it. Nothing orders
// threadgroups of a launch.
#include "machine.h"
#include <string.h>
#include <sys/mman.h>
#include <time.h>

Region regions[max_regions];
unsigned region_count;
int64_t deadline;

static size_t whole_pages(size_t bytes) { return (bytes + 65535) / 65536 * 65536; }

void* reserve(size_t bytes) {
  void* memory = mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}
void release(void* memory, size_t bytes) {
  if (memory) munmap(memory, whole_pages(bytes));
}

Region* add_region(Kind kind, const char* name, char* begin, size_t bytes, bool writable, bool fresh) {
  if (region_count == max_regions) return nullptr;
  Region* region = &regions[region_count++];
  *region = {name, begin, bytes, kind, writable, fresh, 0, nullptr};
  return region;
}
bool keep_history(Region& region) {
  region.history = (Byte*)reserve((region.bytes + 1) * sizeof(Byte));
  return region.history != nullptr;
}

void forget_threadgroup_memory() {
  for (unsigned i = 0; i < region_count; ++i) {
    if (regions[i].kind != threadgroup_region) continue;
    memset(regions[i].history, 0, regions[i].bytes * sizeof(Byte));
    memset(regions[i].begin, 0xff, regions[i].bytes);
  }
}

static unsigned order_of(const Region& region) { return region.kind == threadgroup_region ? threadgroup_memory : device_memory; }

// Whether an earlier touch by others is not ordered before the present one.
static bool unordered(const Touch& earlier, unsigned order) {
  if (!earlier.thread) return false;
  if (earlier.group != group_number + 1) return true;
  if (earlier.many_groups) return true;
  if (earlier.epoch != epochs[order]) return false;
  if (!earlier.many_threads && earlier.thread == current->id + 1) return false;
  const bool same_simdgroup = !earlier.many_simdgroups && (earlier.thread - 1) / lanes_of_simdgroup == current->simdgroup;
  return !(same_simdgroup && earlier.simd_epoch != simd_epochs[order][current->simdgroup]);
}

static Touch present(unsigned order, bool atomic, Address where) {
  const uint32_t group = group_number + 1, epoch = epochs[order], simd_epoch = simd_epochs[order][current->simdgroup];
  return {group, epoch, simd_epoch, (uint16_t)(current->id + 1), atomic, false, false, false, where};
}

// Readers since the last barrier are kept as one touch that stands for all.
static void join(Touch& read, const Touch& now, unsigned order) {
  Touch joined = now;
  if (read.thread && (read.group != now.group || read.many_groups)) {
    joined.many_groups = true;
    joined.atomic = read.atomic && now.atomic;
  }
  if (read.thread && read.group == now.group && read.epoch == now.epoch && unordered(read, order)) {
    joined.many_threads = true;
    joined.many_simdgroups =
        read.many_simdgroups || (read.thread - 1) / lanes_of_simdgroup != current->simdgroup;
    joined.atomic = read.atomic && now.atomic;
    joined.where = read.where;
    joined.thread = read.thread;
  }
  read = joined;
}

static void accuse(const Region& region, const Touch& earlier, size_t offset, const char* mine, const char* theirs, Address where) {
  const bool threadgroup = region.kind == threadgroup_region;
  const char* kind = earlier.group != group_number + 1 || earlier.many_groups ? "race-between-threadgroups" : "race";
  report(kind, current, where, earlier.where, "%s of byte %zu of %s%s races with a %s by thread %u of threadgroup %u", mine, offset,
         threadgroup ? "" : "buffer ", region.name, theirs, earlier.thread - 1, earlier.group - 1);
}

static void touch_byte(Region& region, size_t offset, bool write, bool atomic, Address where) {
  Byte& byte = region.history[offset];
  const unsigned order = order_of(region);
  const Touch now = present(order, atomic, where);
  const char* mine = write ? "write" : "read";
  if (!(byte.write.atomic && atomic) && unordered(byte.write, order)) accuse(region, byte.write, offset, mine, "write", where);
  else if (write && !(byte.read.atomic && atomic) && unordered(byte.read, order)) accuse(region, byte.read, offset, mine, "read", where);
  if (!write && region.fresh && !byte.initialised) {
    const bool threadgroup = region.kind == threadgroup_region;
    report(threadgroup ? "uninitialised-threadgroup" : "uninitialised-output", current, where, 0,
           "read of byte %zu of %s%s, which nobody wrote", offset, threadgroup ? "" : "buffer ", region.name);
    byte.initialised = true; // one report is enough
  }
  if (write) {
    byte.write = now;
    byte.initialised = true;
  } else join(byte.read, now, order);
}

static bool is_private(Address address, bool& own) {
  const Address first = (Address)stacks;
  if (address < first || address >= first + max_threads * stack_bytes) return false;
  own = (address - first) / stack_bytes == current->stack;
  return true;
}

static void end_at_deadline(Address where) {
  static uint32_t touches;
  if (deadline == 0 || ++touches % (1 << 20) != 0 || time(nullptr) < deadline) return;
  report("timeout", current, where, 0, "the kernel did not end in time");
  end_run("stopped");
}

void touch(Address address, size_t bytes, bool write, bool atomic, Address where) {
  if (current == nullptr || bytes == 0) return;
  end_at_deadline(where);
  bool own = false;
  const char* verb = write ? "write" : "read";
  if (is_private(address, own)) {
    if (!own) report("foreign-private", current, where, 0, "%s of a variable of another thread", verb);
    return;
  }
  for (unsigned i = 0; i < region_count; ++i) {
    Region& region = regions[i];
    const Address begin = (Address)region.begin;
    if (address + region.room < begin || address >= begin + region.bytes + region.room) continue;
    const long offset = (long)(address - begin);
    if (offset < 0 || offset + bytes > region.bytes) {
      report("out-of-bounds", current, where, 0, "%s of %zu bytes at byte %ld of %s, which has %zu bytes", verb, bytes, offset,
             region.name, region.bytes);
      return;
    }
    if (write && !region.writable) report("write-to-constant", current, where, 0, "write to %s, which is read-only", region.name);
    if (region.history == nullptr) return;
    for (size_t at = 0; at < bytes; ++at) touch_byte(region, (size_t)offset + at, write, atomic, where);
    return;
  }
  if (of_simdgroups(address) && !write) return;
  const bool in_program = address >= program.begin && address < program.end;
  const Address shared_end = (Address)program.shared_end;
  if (in_program && !write && shared_end > (Address)program.shared_begin && address >= shared_end) {
    report("out-of-bounds", current, where, 0, "read of %zu bytes, %ld past the variables in threadgroup memory", bytes,
           (long)(address - shared_end));
    return;
  }
  if (in_program && !write) return; // tables; no kernel has reason to write there
  report("out-of-bounds", current, where, 0, "%s of %zu bytes at an address that belongs to no buffer", verb, bytes);
  end_run("stopped");
}

void report_unwritten() {
  for (unsigned i = 0; i < region_count; ++i) {
    const Region& region = regions[i];
    if (region.kind != device_region || !region.fresh) continue;
    size_t missing = 0, first = 0;
    for (size_t at = region.bytes; at-- > 0;) {
      if (region.history[at].initialised) continue;
      first = at;
      ++missing;
    }
    if (missing == 0) continue;
    report("unwritten-output", nullptr, 0, 0, "%zu of %zu bytes of buffer %s were never written, the first at byte %zu", missing,
           region.bytes, region.name, first);
  }
}
