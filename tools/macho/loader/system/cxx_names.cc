// No header of the C++ library may come in here: these declarations give its symbols other types.
#include "cxx_names.h"

// One line for each name of the list, made when the loader is built: NAME(number, "symbol in this library", "name on macOS").
#define NAME(number, symbol, name) extern "C" const char cxxSymbol##number __asm__(symbol);
#include "cxx_names.inc"
#undef NAME

namespace macho {

const CxxName cxxNames[] = {
#define NAME(number, symbol, name) {name, &cxxSymbol##number},
#include "cxx_names.inc"
#undef NAME
    {nullptr, nullptr},
};

}  // namespace macho
