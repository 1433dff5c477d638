// NSString: UTF-8 inside.
#pragma once

#include <string>
#include <string_view>

#include "../runtime/define.h"

namespace standin {

struct Text : Object {
  inline static Class* type = nullptr;
  std::string value;

  Text() = default;
  explicit Text(std::string_view text) : value(text) {}
};

/// An autoreleased string.
Text* lendText(std::string_view text);

bool isUtf8(std::string_view text);

}  // namespace standin
