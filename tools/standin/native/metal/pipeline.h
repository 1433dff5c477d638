// MTLComputePipelineState.
#pragma once

#include "library.h"

namespace standin {

struct Pipeline : Object {
  inline static Class* type = nullptr;
  const Module* module;
  const Kernel* kernel;
  Unsigned maxTotalThreads;
  std::string label;

  Pipeline(const Function& function, Unsigned maxTotalThreads)
      : module(function.module), kernel(function.kernel), maxTotalThreads(maxTotalThreads) {}
};

Object* newPipeline(Object* function);
Object* newPipelineOfDescriptor(Object* descriptor, Unsigned options, Object** error);

}  // namespace standin
