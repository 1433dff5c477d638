// What an NVIDIA device and its driver say of themselves.
#pragma once

#include <cstdint>
#include <string>

#include "driver.h"

namespace metile::cuda {

struct Facts {
  int index = 0;
  DeviceNumber number = 0;
  std::string name;         // "NVIDIA H200"
  unsigned architecture = 0;  // 90 for sm_90
  unsigned multiprocessors = 0;
  std::uint64_t memoryBytes = 0;
  std::uint32_t sharedBytes = 0;  // of a threadgroup at most
  std::string driverVersion;      // the CUDA that the driver is made for: "13.0"
};

// Devices of this machine; 0 without a driver.
int deviceCount();

// Throws a device failure for an index that is not below the count.
Facts factsOf(int index);

}  // namespace metile::cuda
