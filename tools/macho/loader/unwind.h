#pragma once

#include <cstddef>
#include <cstdint>

namespace macho {

// Tells the unwinder of this process where exceptions find their way through an image. Goes by __unwind_info, as macOS
// does, and takes from __eh_frame what it points to: frames that it does not reach stay unknown.
void registerUnwinding(const std::uint8_t* table, std::size_t bytes, const std::uint8_t* frames);

}  // namespace macho
