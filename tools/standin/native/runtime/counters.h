// What the stand-in counts, for tests to read.
#pragma once

#include <atomic>

namespace standin {

struct Counters {
  std::atomic<long> objects{0};         // alive
  std::atomic<long> blocks{0};          // copied and not yet released
  std::atomic<long> poolLeaks{0};       // autoreleased without a pool, or left in one at a thread's end
  std::atomic<long> bytes{0};           // of live buffers
  std::atomic<long> peakBytes{0};
  std::atomic<long> openCommandBuffers{0};
  std::atomic<long> commandBuffers{0};  // committed
  std::atomic<long> failedCommandBuffers{0};
  std::atomic<long> encoders{0};
  std::atomic<long> dispatches{0};
  std::atomic<long> droppedDispatches{0};
  std::atomic<long> barriers{0};
  std::atomic<long> blits{0};
  std::atomic<long> libraries{0};
  std::atomic<long> fastFunctionLibraries{0};  // compiled with the fast variants of functions though math is safe
  std::atomic<long> fastMathLibraries{0};  // compiled with fast math altogether
  std::atomic<long> pipelines{0};
};

Counters& counters();

}  // namespace standin
