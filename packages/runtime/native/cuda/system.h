// The process's NVIDIA devices, opened once each and never destroyed.
#pragma once

#include "../stream/stream.h"
#include "facts.h"

namespace metile::cuda {

class CudaDevice;

struct OpenedDevice {
  CudaDevice* device = nullptr;
  Stream* stream = nullptr;
};

// Opened at the first call for an index. Throws a device failure.
OpenedDevice openDevice(int index);

// Null before it is open.
CudaDevice* opened(int index);

}  // namespace metile::cuda
