// Values of Metal's enumerations that the host uses.
#pragma once

#include "../objc/types.h"

namespace metile::metal {

using objc::NSInteger;
using objc::NSUInteger;

constexpr NSUInteger resourceShared = 0;  // storage mode shared, hazards tracked by Metal between command buffers

constexpr NSUInteger dispatchConcurrent = 1;
constexpr NSUInteger barrierBuffers = 1;

constexpr NSUInteger statusCompleted = 4;

constexpr NSInteger mathSafe = 0;
constexpr NSInteger mathRelaxed = 1;
constexpr NSInteger mathFast = 2;
constexpr NSInteger functionsFast = 0;
constexpr NSInteger functionsPrecise = 1;

constexpr NSInteger familyApple1 = 1001;  // and so on up to familyAppleLast
constexpr NSInteger familyAppleLast = 1010;
constexpr NSInteger familyMetal3 = 5001;

constexpr NSUInteger languageVersion(unsigned major, unsigned minor) { return NSUInteger{major} << 16 | minor; }

enum CommandBufferError : NSInteger {
  errorTimeout = 2,
  errorPageFault = 3,
  errorAccessRevoked = 4,
  errorNotPermitted = 7,
  errorOutOfMemory = 8,
  errorDeviceRemoved = 11,
  errorStackOverflow = 12,
};

}  // namespace metile::metal
