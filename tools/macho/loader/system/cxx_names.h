// The names of the addon's list for libc++, each with its address in this library.
#pragma once

namespace macho {

struct CxxName {
  const char* name;
  const void* address;
};

// Ends with a null name.
extern const CxxName cxxNames[];

}  // namespace macho
