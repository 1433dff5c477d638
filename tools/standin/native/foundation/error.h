// NSError.
#pragma once

#include <string>

#include "../runtime/define.h"

namespace standin {

struct Error : Object {
  inline static Class* type = nullptr;
  std::string domain;
  Integer code;
  std::string text;

  Error(std::string domain, Integer code, std::string text)
      : domain(std::move(domain)), code(code), text(std::move(text)) {}
};

/// Gives an autoreleased error to a caller who asked for one.
void giveError(Object** place, const char* domain, Integer code, const std::string& text);

}  // namespace standin
