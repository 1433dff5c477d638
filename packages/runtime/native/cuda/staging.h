// Transfers between the host and an NVIDIA device, through pinned memory: twice as fast as from pages that may move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "../stream/device.h"
#include "driver.h"

namespace metile::cuda {

// Safe from any thread; the device's context has to be current. Each call returns once the bytes are in place.
class Staging {
 public:
  Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  Result write(DevicePointer target, const void* source, std::uint64_t bytes);
  Result read(DevicePointer source, std::uint64_t bytes, Conversion conversion, void* target);

 private:
  std::byte* piece(int which);

  std::mutex mutex_;
  StreamHandle stream_ = nullptr;  // of its own: it does not wait for the work
  Event done_[2] = {};
  void* pieces_[2] = {};  // allocated at first use
};

}  // namespace metile::cuda
