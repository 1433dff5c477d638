// What was counted, as text.
#pragma once

#include <string>

namespace standin {

/// JSON: every counter, and the live objects by class.
std::string reportText();

}  // namespace standin
