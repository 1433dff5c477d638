// NSArray and NSDictionary.
#pragma once

#include <utility>
#include <vector>

#include "../runtime/define.h"

namespace standin {

struct Array : Object {
  inline static Class* type = nullptr;
  std::vector<Reference<Object>> items;
};

struct Dictionary : Object {
  inline static Class* type = nullptr;
  std::vector<std::pair<Reference<Object>, Reference<Object>>> entries;  // key, value

  Object* find(Object* key) const;
  void set(Object* key, Object* value);
};

}  // namespace standin
