#include "facts.h"

#include "../stream/failure.h"

namespace metile::cuda {

int deviceCount() {
  int count = 0;
  if (!loadDriver().empty() || driver.deviceCount(&count) != success) return 0;
  return count;
}

Facts factsOf(int index) {
  if (!loadDriver().empty()) throw Failure(FailureKind::device, loadDriver());
  const int count = deviceCount();
  if (count == 0) throw Failure(FailureKind::device, "the NVIDIA driver has no device (is one visible? CUDA_VISIBLE_DEVICES may hide it)");
  if (index >= count) throw Failure(FailureKind::device, joined("there is no cuda:", index, "; this machine has ", count, " NVIDIA device", count == 1 ? "" : "s"));
  Facts facts;
  facts.index = index;
  driver.deviceGet(&facts.number, index);
  char name[256] = {};
  driver.deviceName(name, sizeof name - 1, facts.number);
  facts.name = name;
  const auto attribute = [&](int which) {
    int value = 0;
    driver.deviceAttribute(&value, which, facts.number);
    return static_cast<unsigned>(value);
  };
  facts.architecture = attribute(attributeMajor) * 10 + attribute(attributeMinor);
  facts.multiprocessors = attribute(attributeMultiprocessors);
  facts.sharedBytes = attribute(attributeSharedOptIn);
  std::size_t bytes = 0;
  driver.deviceMemory(&bytes, facts.number);
  facts.memoryBytes = bytes;
  facts.driverVersion = std::to_string(driver.version / 1000) + "." + std::to_string(driver.version % 1000 / 10);
  return facts;
}

}  // namespace metile::cuda
