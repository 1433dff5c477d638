// MTLLibrary and MTLFunction.
#pragma once

#include <string>

#include "../runtime/define.h"
#include "module.h"

namespace standin {

struct Library : Object {
  inline static Class* type = nullptr;
  const Module* module;
  Unsigned maxTotalThreads;
  std::string label;

  Library(const Module* module, Unsigned maxTotalThreads) : module(module), maxTotalThreads(maxTotalThreads) {}
};

struct Function : Object {
  inline static Class* type = nullptr;
  const Module* module;
  const Kernel* kernel;
  Unsigned maxTotalThreads;  // of the options that the library was compiled with; 0: none given
  std::string label;

  Function(const Library& library, const Kernel* kernel)
      : module(library.module), kernel(kernel), maxTotalThreads(library.maxTotalThreads) {}
};

/// As -[MTLDevice newLibraryWithSource:options:error:].
Library* newLibrary(Object* source, Object* options, Object** error);

}  // namespace standin
