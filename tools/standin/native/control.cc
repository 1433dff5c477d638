// C functions for tests: what was counted, and faults to bring about.

#include <cstring>

#include "metal/failures.h"
#include "metal/memory.h"
#include "report.h"
#include "runtime/counters.h"

using standin::counters;

STANDIN_API long standin_live_objects() { return counters().objects.load(); }

STANDIN_API long standin_live_blocks() { return counters().blocks.load(); }

STANDIN_API long standin_pool_leaks() { return counters().poolLeaks.load(); }

STANDIN_API long standin_live_bytes() { return counters().bytes.load(); }

STANDIN_API long standin_command_buffers() { return counters().commandBuffers.load(); }

STANDIN_API long standin_dropped_dispatches() { return counters().droppedDispatches.load(); }

/// The report's length; what fits of it is written, with a zero at the end.
STANDIN_API std::size_t standin_report(char* text, std::size_t bytes) {
  const std::string report = standin::reportText();
  if (bytes > 0) {
    const std::size_t count = report.size() < bytes ? report.size() : bytes - 1;
    std::memcpy(text, report.data(), count);
    text[count] = 0;
  }
  return report.size();
}

/// The next command buffer that is committed fails. An empty message or null stands for the driver's own words.
STANDIN_API void standin_fail_next(unsigned long code, const char* message) { standin::failNext(code, message); }

/// The next so many new buffers are nil.
STANDIN_API void standin_fail_next_allocation(long count) { standin::failAllocations(count); }
