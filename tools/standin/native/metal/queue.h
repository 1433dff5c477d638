// MTLCommandQueue.
#pragma once

#include <string>

#include "../runtime/define.h"
#include "lane.h"

namespace standin {

struct Queue : Object {
  inline static Class* type = nullptr;
  std::shared_ptr<Lane> lane;
  std::string label;

  explicit Queue(Unsigned maxOpen) : lane(std::make_shared<Lane>(maxOpen)) {}
  ~Queue() { lane->close(); }
};

}  // namespace standin
