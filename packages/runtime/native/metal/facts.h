// What a Metal device and its system say of themselves.
#pragma once

#include <cstdint>
#include <string>

#include "../objc/ownership.h"

namespace metile::metal {

struct Facts {
  std::string name;           // "Apple M4 Max"
  std::string architecture;   // "applegpu_g16s"; empty before macOS 14
  std::string systemVersion;  // of macOS: "15.1"
  unsigned languageMajor = 3;
  unsigned languageMinor = 0;
  unsigned appleFamily = 0;  // 7 for M1 … 10 for M5
  bool metal3 = false;
  bool bfloat = false;  // kernels may use it: told by compiling one
  bool unifiedMemory = false;
  bool lowPower = false;
  bool standin = false;
  std::uint64_t maximumBufferBytes = 0;
  std::uint64_t recommendedBytes = 0;
  std::uint32_t maximumThreads = 0;
  std::uint32_t threadgroupBytes = 0;

  std::string languageVersion() const { return std::to_string(languageMajor) + "." + std::to_string(languageMinor); }
};

// The default device, else the first that there is. Nil with a reason when there is none.
objc::Reference findDevice(std::string& reason);

// Asks the device and the system. `bfloat` is left to whoever can compile.
Facts factsOf(objc::id device);

}  // namespace metile::metal
