// Where the imports of images lead to: Node's own functions, macOS's C++ library and its system library.
#pragma once

#include <string>
#include <vector>

#include "opcodes.h"

namespace macho {

struct Provided {
  const char* name;  // with its underscore
  void* address;
};

template <typename Function>
Provided provide(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

// Never null: what is not known leads to a function that says its name and ends the process.
// `libraries`: those that the image names, in the order of their ordinals. Throws for an import that macOS would refuse.
void* resolveImport(const Import& import, const std::vector<std::string>& libraries);

// Null when libSystem's stand-in does not have it.
void* findSystemSymbol(const std::string& name);

// The parts of libSystem, and libc++ with what has another layout on macOS replaced.
std::vector<Provided> plainFunctions();
std::vector<Provided> threadFunctions();
std::vector<Provided> memoryFunctions();
std::vector<Provided> libraryFunctions();
std::vector<Provided> textFunctions();
std::vector<Provided> clockFunctions();
std::vector<Provided> cxxSymbols();

}  // namespace macho
