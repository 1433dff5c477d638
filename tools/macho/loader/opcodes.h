// dyld's byte codes: which words of an image move with it, and which hold addresses of other libraries.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bytes.h"

namespace macho {

// Where a word lies: segment by number, and offset in it.
struct Place {
  std::uint64_t segment = 0;
  std::uint64_t offset = 0;
};

struct Import {
  std::string name;
  std::int64_t library = 0;  // 1 and up, or one of the special ordinals
  std::int64_t addend = 0;
};

void forEachRebase(Bytes table, const std::function<void(const Place&)>& visit);

// `lazy`: the table of functions that dyld binds at their first call; there, an end is a separator.
void forEachBind(Bytes table, bool lazy, const std::function<void(const Place&, const Import&)>& visit);

}  // namespace macho
