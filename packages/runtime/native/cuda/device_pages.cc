#include "device_pages.h"

namespace metile::cuda {

Pages DevicePages::map(std::size_t bytes) noexcept {
  driver.contextSet(context_);
  DevicePointer pointer = 0;
  if (driver.memoryAllocate(&pointer, bytes) != success) return {};
  auto* start = reinterpret_cast<std::byte*>(pointer);
  return {start, start, bytes};
}

void DevicePages::unmap(const Pages& pages) noexcept {
  driver.contextSet(context_);
  driver.memoryFree(reinterpret_cast<DevicePointer>(pages.start));
}

}  // namespace metile::cuda
