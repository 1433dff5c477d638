#include "system.h"

#include <atomic>
#include <mutex>

#include "../objc/ownership.h"
#include "../stream/failure.h"
#include "metal_device.h"

namespace metile::metal {
namespace {

struct System {
  objc::Reference device;
  Availability availability;
  std::mutex mutex;
  Stream* stream = nullptr;
  std::atomic<MetalDevice*> opened{nullptr};

  System() {
    availability.reason = objc::load();
    if (!availability.reason.empty()) return;
    const objc::Pool pool;
    device = findDevice(availability.reason);
    if (!device) return;
    availability.facts = factsOf(device.get());
    if (availability.facts.appleFamily < 7 && !availability.facts.metal3) {
      availability.reason = "the GPU " + availability.facts.name + " is older than what kernels need (Apple7 or Metal 3)";
      return;
    }
    availability.available = true;
  }
};

System& shared() {
  static System* system = new System;
  return *system;
}

}  // namespace

const Availability& availability() { return shared().availability; }

Stream& stream(const std::string& transfers) {
  System& system = shared();
  std::lock_guard<std::mutex> lock(system.mutex);
  if (system.stream != nullptr) return *system.stream;
  if (!system.availability.available) throw Failure(FailureKind::device, system.availability.reason);
  const objc::Pool pool;
  auto device = std::make_unique<MetalDevice>(objc::Reference::retain(system.device.get()), system.availability.facts, transfers);
  system.availability.facts.bfloat = device->facts().bfloat;
  system.stream = new Stream(*device);
  system.opened.store(device.release(), std::memory_order_release);
  return *system.stream;
}

MetalDevice* openDevice() { return shared().opened.load(std::memory_order_acquire); }

}  // namespace metile::metal
