#pragma once

#include <cstddef>
#include <cstdint>

namespace macho {

// An image's tables for exceptions.
struct UnwindTables {
  std::uint8_t* image;
  const std::uint8_t* info;    // __unwind_info
  std::size_t infoBytes;
  const std::uint8_t* frames;  // __eh_frame, or null
};

// Tells the unwinder of this process where exceptions find their way through an image. Goes by __unwind_info, as macOS
// does: what it does not reach stays unknown.
void registerUnwinding(const UnwindTables& tables);

}  // namespace macho
