// Type encodings of C++ prototypes, to be compared with the table's.
#pragma once

#include <string>
#include <type_traits>

#include "object.h"

namespace standin {

template <class T, class = void>
struct Encoding;

#define STANDIN_ENCODING(TYPE, TEXT)            \
  template <>                                   \
  struct Encoding<TYPE> {                       \
    static constexpr const char* text = TEXT;   \
  }

STANDIN_ENCODING(void, "v");
STANDIN_ENCODING(bool, "B");
STANDIN_ENCODING(unsigned char, "C");
STANDIN_ENCODING(int, "i");
STANDIN_ENCODING(long, "q");
STANDIN_ENCODING(unsigned long, "Q");
STANDIN_ENCODING(double, "d");
STANDIN_ENCODING(void*, "^v");
STANDIN_ENCODING(const void*, "r^v");
STANDIN_ENCODING(const char*, "r*");
STANDIN_ENCODING(Selector, ":");
STANDIN_ENCODING(Block*, "@?");
STANDIN_ENCODING(Object**, "^@");
STANDIN_ENCODING(Object* const*, "r^@");
STANDIN_ENCODING(const Unsigned*, "r^Q");
STANDIN_ENCODING(Size, "{?=QQQ}");
STANDIN_ENCODING(SystemVersion, "{?=qqq}");
STANDIN_ENCODING(SizeAndAlign, "{?=QQ}");
STANDIN_ENCODING(Range, "{_NSRange=QQ}");
STANDIN_ENCODING(ResourceIdentifier, "{MTLResourceID=Q}");
#undef STANDIN_ENCODING

template <class T>
struct Encoding<T*, std::enable_if_t<std::is_base_of_v<Object, T>>> {
  static constexpr const char* text = "@";
};

template <class Result, class... Arguments>
std::string encode() {
  std::string text = std::string(Encoding<Result>::text) + "@:";
  ((text += Encoding<Arguments>::text), ...);
  return text;
}

}  // namespace standin
