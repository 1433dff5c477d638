#include "system.h"

#include <map>
#include <mutex>

#include "../stream/failure.h"
#include "cuda_device.h"

namespace metile::cuda {
namespace {

struct System {
  std::mutex mutex;
  std::map<int, OpenedDevice> devices;
};

System& shared() {
  static System* system = new System;
  return *system;
}

}  // namespace

OpenedDevice openDevice(int index) {
  System& system = shared();
  std::lock_guard<std::mutex> lock(system.mutex);
  const auto known = system.devices.find(index);
  if (known != system.devices.end()) return known->second;
  auto* device = new CudaDevice(factsOf(index));
  const OpenedDevice opened{device, new Stream(*device)};
  system.devices.emplace(index, opened);
  return opened;
}

CudaDevice* opened(int index) {
  System& system = shared();
  std::lock_guard<std::mutex> lock(system.mutex);
  const auto known = system.devices.find(index);
  return known == system.devices.end() ? nullptr : known->second.device;
}

}  // namespace metile::cuda
