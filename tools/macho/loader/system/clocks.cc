#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "../imports.h"

namespace macho {
namespace {

clockid_t nativeClock(int clock) {
  switch (clock) {  // macOS's numbers
    case 0: return CLOCK_REALTIME;
    case 4:                              // CLOCK_MONOTONIC_RAW
    case 5:                              // the same, approximately
    case 6:                              // CLOCK_MONOTONIC
    case 8:                              // CLOCK_UPTIME_RAW
    case 9: return CLOCK_MONOTONIC;
    case 12: return CLOCK_PROCESS_CPUTIME_ID;
    case 16: return CLOCK_THREAD_CPUTIME_ID;
    default: return -1;
  }
}

int getTime(int clock, timespec* time) { return clock_gettime(nativeClock(clock), time); }

std::uint64_t getNanoseconds(int clock) {
  timespec time{};
  clock_gettime(nativeClock(clock), &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t absoluteTime() { return getNanoseconds(8); }

// An Apple processor has 125/3 here; ticks of one nanosecond serve as well.
int timebase(std::uint32_t* fraction) {
  fraction[0] = 1;
  fraction[1] = 1;
  return 0;
}

}  // namespace

std::vector<Provided> clockFunctions() {
  return {
      provide("_clock_gettime", getTime),           provide("_clock_gettime_nsec_np", getNanoseconds),
      provide("_mach_absolute_time", absoluteTime), provide("_mach_timebase_info", timebase),
      provide("_nanosleep", nanosleep),             provide("_usleep", usleep),
  };
}

}  // namespace macho
