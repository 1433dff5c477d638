// The few C types that Apple's methods take, with the layouts of the 64-bit systems.
#pragma once

#include <cstddef>
#include <cstdint>

#define STANDIN_API extern "C" __attribute__((visibility("default")))

namespace standin {

using Unsigned = unsigned long;  // NSUInteger
using Integer = long;            // NSInteger

struct Size {
  Unsigned width, height, depth;
};

struct Range {
  Unsigned location, length;
};

struct SizeAndAlign {
  Unsigned size, align;
};

struct ResourceIdentifier {
  std::uint64_t value;
};

struct SystemVersion {
  Integer major, minor, patch;
};

struct SelectorText;
/// A name that is registered once: equal names are equal pointers, and the pointer is a C string, as on macOS.
using Selector = const SelectorText*;

struct Object;
struct Class;
struct Block;

}  // namespace standin
