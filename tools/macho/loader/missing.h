#pragma once

#include <string>

namespace macho {

// A function that prints the name and aborts.
void* makeMissing(const std::string& name);

}  // namespace macho
