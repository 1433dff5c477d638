// A short wait without a system call, for events that are about to happen.
#pragma once

#include <chrono>

namespace metile {

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

// Waits for `ready` up to a number of microseconds; says whether it came.
template <typename Ready>
bool spin(int microseconds, Ready ready) {
  if (ready()) return true;
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);
  do {
    for (int turn = 0; turn < 16; turn++) {
      relax();
      if (ready()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace metile
