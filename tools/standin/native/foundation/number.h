// NSNumber.
#pragma once

#include <string>

#include "../runtime/define.h"

namespace standin {

struct Number : Object {
  inline static Class* type = nullptr;
  std::string text;  // as a macro's value

  explicit Number(std::string value = "0") : text(std::move(value)) {}
};

}  // namespace standin
