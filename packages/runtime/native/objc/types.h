// Objective-C's types as plain C++ sees them, and their type encodings.
#pragma once

#include <string>

namespace metile::objc {

struct object;    // opaque
struct selector;  // opaque
using id = object*;
using Class = object*;
using SEL = const selector*;

// 64 bits and `Q`, `q` in encodings on every target we build for; BOOL is C's bool on arm64.
using NSUInteger = unsigned long;
using NSInteger = long;

struct Size {  // MTLSize: by reference as an argument, in memory as a result
  NSUInteger width;
  NSUInteger height;
  NSUInteger depth;
};
struct Version {  // NSOperatingSystemVersion
  NSInteger major;
  NSInteger minor;
  NSInteger patch;
};
static_assert(sizeof(NSUInteger) == 8 && sizeof(Size) == 24 && sizeof(Version) == 24, "LP64");

struct BlockLiteral;

template <typename Type>
struct Encoding;

#define METILE_ENCODING(Type, text) \
  template <>                       \
  struct Encoding<Type> {           \
    static constexpr const char* value = text; \
  }
METILE_ENCODING(void, "v");
METILE_ENCODING(bool, "B");
METILE_ENCODING(NSInteger, "q");
METILE_ENCODING(NSUInteger, "Q");
METILE_ENCODING(double, "d");
METILE_ENCODING(id, "@");
METILE_ENCODING(SEL, ":");
METILE_ENCODING(void*, "^v");
METILE_ENCODING(const void*, "r^v");
METILE_ENCODING(const char*, "r*");
METILE_ENCODING(id*, "^@");
METILE_ENCODING(const id*, "r^@");
METILE_ENCODING(Size, "{?=QQQ}");
METILE_ENCODING(Version, "{?=qqq}");
METILE_ENCODING(BlockLiteral*, "@?");
#undef METILE_ENCODING

// The encoding of a method of these types: result, receiver, selector, arguments.
template <typename Result, typename... Arguments>
std::string encodingOf() {
  std::string text = Encoding<Result>::value;
  text += "@:";
  ((text += Encoding<Arguments>::value), ...);
  return text;
}

// As a runtime spells an encoding, without the offsets and qualifiers that say nothing of the call:
// "v40@0:8Q16r^v32" becomes "v@:Q^v".
std::string plainEncoding(const char* encoding);

}  // namespace metile::objc
