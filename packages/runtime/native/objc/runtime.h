// The entry points of the Objective-C runtime and of Metal, found by dlopen: no SDK and no Objective-C compiler is needed,
// and the same code runs on Linux against the stand-in.
#pragma once

#include <string>

#include "types.h"

namespace metile::objc {

struct Runtime {
  void* messageSend = nullptr;
  void* messageSendStructure = nullptr;  // x86-64 alone has it
  Class (*getClass)(const char*) = nullptr;
  SEL (*registerName)(const char*) = nullptr;
  void* (*poolPush)() = nullptr;
  void (*poolPop)(void*) = nullptr;
  id (*retain)(id) = nullptr;
  void (*release)(id) = nullptr;
  Class (*classOf)(id) = nullptr;
  void* (*instanceMethod)(Class, SEL) = nullptr;
  const char* (*methodEncoding)(void*) = nullptr;
  void* stackBlock = nullptr;  // isa of a block on the stack
  id (*createSystemDefaultDevice)() = nullptr;
  id (*copyAllDevices)() = nullptr;
  bool standin = false;
};

// Filled by load(), never changed after.
extern Runtime runtime;

// Opens Apple's frameworks, or the library that METILE_METAL_STANDIN names. Gives the reason when it cannot, else nothing.
// Once in a process; safe from any thread.
const std::string& load();

}  // namespace metile::objc
