// The arguments of an entry as the driver takes them: a pointer to each, in the order that the rewriter gives entries
// (tools/msl/src/cuda): buffers and constants by ascending index, threadgroup offsets, the grid, where this part of it begins.
#pragma once

#include "../stream/device.h"
#include "driver.h"

namespace metile::cuda {

class Parameters {
 public:
  Parameters(const Launch& launch, DevicePointer status);
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  void** get() { return arguments_; }
  std::uint32_t sharedBytes() const { return sharedBytes_; }
  void setFirst(const std::uint32_t (&first)[3]);

 private:
  void* arguments_[2 * maximumBuffers + 2];
  DevicePointer pointers_[maximumBuffers];
  std::uint32_t offsets_[maximumBuffers];
  std::uint32_t groups_[3];
  std::uint32_t first_[3] = {0, 0, 0};
  std::uint32_t sharedBytes_ = 0;
};

}  // namespace metile::cuda
