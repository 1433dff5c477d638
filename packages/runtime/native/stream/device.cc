#include "device.h"

#include "failure.h"

namespace metile {

std::uint32_t Device::loadLibrary(const std::string&) {
  throw Failure(FailureKind::library, "this device compiles its kernels from their text; it has no libraries");
}

std::uint32_t Device::loadSource(const std::string&, const std::string&) {
  throw Failure(FailureKind::library, "this device runs libraries; it compiles no text");
}

}  // namespace metile
