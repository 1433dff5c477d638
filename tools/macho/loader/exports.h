#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bytes.h"

namespace macho {

// Looks a name up in the prefix tree of exported symbols, as dyld does: the distance from the start of the image.
std::optional<std::uint64_t> findExport(const std::uint8_t* tree, std::size_t bytes, const std::string& name);

}  // namespace macho
