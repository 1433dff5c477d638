#include "facts.h"

#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

#include "messages.h"
#include "text.h"
#include "values.h"

namespace metile::metal {
namespace {

using objc::id;
using objc::Reference;
using objc::runtime;

struct SystemVersion {
  unsigned major = 0;
  unsigned minor = 0;
  std::string text;
};

SystemVersion systemVersion() {
  SystemVersion version;
#if defined(__APPLE__)
  char text[64] = {};
  std::size_t length = sizeof text - 1;
  if (sysctlbyname("kern.osproductversion", text, &length, nullptr, 0) == 0) version.text = text;
#else
  const objc::Version told = send::operatingSystemVersion(send::processInfo(runtime.getClass("NSProcessInfo")));
  version.text = std::to_string(told.major) + "." + std::to_string(told.minor);
#endif
  std::size_t at = 0;
  const auto number = [&] {
    unsigned value = 0;
    while (at < version.text.size() && version.text[at] >= '0' && version.text[at] <= '9') {
      value = value * 10 + static_cast<unsigned>(version.text[at++] - '0');
    }
    at += 1;
    return value;
  };
  version.major = number();
  version.minor = number();
  return version;
}

// The newest version of the language that a system knows. It has to be said: the default depends on the SDK that the
// program was linked with, which here is Node's.
void setLanguage(Facts& facts, unsigned system) {
  facts.languageMajor = system >= 26 ? 4 : 3;
  facts.languageMinor = system >= 26 ? 0 : system >= 15 ? 2 : system >= 14 ? 1 : 0;
}

}  // namespace

Reference findDevice(std::string& reason) {
  // Either call may fail where the other does not: sessions without a screen, services, containers of virtual machines.
  Reference device = Reference::adopt(runtime.createSystemDefaultDevice());
  if (device) return device;
  const Reference all = Reference::adopt(runtime.copyAllDevices());
  if (send::count(all.get()) > 0) return Reference::retain(send::objectAtIndex(all.get(), 0));
  reason = "Metal has no device here (a virtual machine without a GPU, or a session that may not use it)";
  return {};
}

Facts factsOf(id device) {
  const objc::Pool pool;
  Facts facts;
  const SystemVersion system = systemVersion();
  facts.systemVersion = system.text;
  setLanguage(facts, system.major);
  facts.name = fromString(send::deviceName(device));
  if (send::respondsToSelector(device, send::architecture.selector())) {
    facts.architecture = fromString(send::architectureName(send::architecture(device)));
  }
  for (NSInteger family = familyApple1; family <= familyAppleLast; family++) {
    if (send::supportsFamily(device, family)) facts.appleFamily = static_cast<unsigned>(family - familyApple1 + 1);
  }
  facts.metal3 = send::supportsFamily(device, familyMetal3);
  facts.unifiedMemory = send::hasUnifiedMemory(device);
  facts.lowPower = send::isLowPower(device);
  facts.standin = runtime.standin;
  facts.maximumBufferBytes = send::maxBufferLength(device);
  facts.recommendedBytes = send::recommendedMaxWorkingSetSize(device);
  facts.maximumThreads = static_cast<std::uint32_t>(send::maxThreadsPerThreadgroup(device).width);
  facts.threadgroupBytes = static_cast<std::uint32_t>(send::maxThreadgroupMemoryLength(device));
  return facts;
}

}  // namespace metile::metal
