#include "failures.h"

#include <deque>
#include <mutex>

#include "../../generated/values.h"
#include "../runtime/switches.h"

namespace standin {

namespace {

std::mutex mutex;

std::deque<Failure>& asked() {
  static auto* only = new std::deque<Failure>;
  return *only;
}

const char* driverText(Unsigned code) {
  switch (code) {
    case MTLCommandBufferErrorTimeout:
      return "Impacting Interactivity (0000000e:kIOGPUCommandBufferCallbackErrorImpactingInteractivity)";
    case MTLCommandBufferErrorPageFault:
      return "Caused GPU Address Fault Error (0000000b:kIOGPUCommandBufferCallbackErrorPageFault)";
    case MTLCommandBufferErrorAccessRevoked:
      return "Ignored (for causing prior/excessive GPU errors) "
             "(00000004:kIOGPUCommandBufferCallbackErrorSubmissionsIgnored)";
    case MTLCommandBufferErrorOutOfMemory:
      return "Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)";
    case MTLCommandBufferErrorInvalidResource:
      return "Invalid Resource (00000009:kIOGPUCommandBufferCallbackErrorInvalidResource)";
    case MTLCommandBufferErrorDeviceRemoved:
      return "Device was removed (0000000b:kIOGPUCommandBufferCallbackErrorDeviceRemoved)";
    default:
      return "Internal Error (0000000e:Internal Error)";
  }
}

}  // namespace

void failNext(Unsigned code, const char* message) {
  const std::lock_guard lock(mutex);
  asked().push_back({code, message == nullptr || *message == 0 ? driverText(code) : message});
}

Failure injectedFailure() {
  const std::lock_guard lock(mutex);
  Switches& all = switches();
  if (all.failBuffer > 0 && --all.failBuffer == 0) return {all.failCode, driverText(all.failCode)};
  if (asked().empty()) return {};
  Failure failure = asked().front();
  asked().pop_front();
  return failure;
}

Failure ignoredFailure() { return {MTLCommandBufferErrorAccessRevoked, driverText(MTLCommandBufferErrorAccessRevoked)}; }

Failure reportedFailure(const std::string& report) {
  return {MTLCommandBufferErrorInternal, report.empty() ? "the kernel failed without a report" : report};
}

}  // namespace standin
