// What happens when the library is loaded: the classes are made, and checked against the table.

#include <cstring>

#include "foundation/parts.h"
#include "foundation/text.h"
#include "metal/parts.h"
#include "runtime/switches.h"
#include "runtime/trace.h"

namespace standin {

namespace {

struct Other : Object {
  inline static Class* type = nullptr;
};

/// Classes of the table without an implementation: they can be asked for, and their messages say what is missing.
void defineOthers() {
  for (std::size_t index = 0; index < factCount; index++) {
    const char* owner = facts[index].owner;
    bool defined = std::strncmp(owner, "MPS", 3) == 0;  // that framework is not loaded
    for (const Class* known : allClasses()) defined = defined || std::strcmp(known->owner, owner) == 0;
    if (!defined) define<Other>(owner);
  }
}

__attribute__((constructor)) void boot() {
  switches();
  openTrace();
  defineObject();
  defineText();
  defineNumber();
  defineCollections();
  defineError();
  defineProcess();
  defineDevice();
  defineBuffer();
  defineHeap();
  defineCompileOptions();
  defineLibrary();
  definePipeline();
  defineQueue();
  defineCommandBuffer();
  defineEncoder();
  defineComputeEncoder();
  defineBlitEncoder();
  defineResidencySet();
  defineCapture();
  defineOthers();
}

}  // namespace

}  // namespace standin
