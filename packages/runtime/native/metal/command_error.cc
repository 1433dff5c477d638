#include "command_error.h"

#include "messages.h"
#include "text.h"
#include "values.h"

namespace metile::metal {
namespace {

const char* adviceFor(objc::NSInteger code) {
  switch (code) {
    case errorTimeout:
      return "It ran too long; use fewer rows or smaller launches at a time.";
    case errorPageFault:
      return "A kernel touched memory that is not its own; MTL_SHADER_VALIDATION=1 tells where.";
    case errorAccessRevoked:
      return "After earlier errors the system refuses this program's work for a while.";
    case errorNotPermitted:
      return "This session may not use the GPU (in the background, or without a screen).";
    case errorOutOfMemory:
      return "The GPU has no memory left; dispose of tensors, or work on fewer rows at a time.";
    case errorDeviceRemoved:
      return "The device was removed.";
    case errorStackOverflow:
      return "A kernel used more stack than there is.";
    default:
      return "MTL_DEBUG_LAYER=1 and MTL_SHADER_VALIDATION=1 may tell more.";
  }
}

}  // namespace

std::string describeCommandError(objc::id error) {
  const objc::NSInteger code = error == nullptr ? 0 : send::code(error);
  return "the GPU did not finish this work: " + describe(error) + " (Metal error " + std::to_string(code) + "). " + adviceFor(code);
}

}  // namespace metile::metal
