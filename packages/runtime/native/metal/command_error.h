// What became of a command buffer that failed, in words that help.
#pragma once

#include <string>

#include "../objc/types.h"

namespace metile::metal {

// For the error of a command buffer whose status is not "completed".
std::string describeCommandError(objc::id error);

}  // namespace metile::metal
