// MTLResidencySet: keeps what is added; residency itself is not simulated.
#pragma once

#include <vector>

#include "../runtime/define.h"

namespace standin {

struct ResidencySet : Object {
  inline static Class* type = nullptr;
  std::vector<Reference<Object>> allocations;

  void add(Object* allocation);
  void remove(Object* allocation);
};

Object* newResidencySet(Object* descriptor);

}  // namespace standin
