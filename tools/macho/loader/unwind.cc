#include "unwind.h"

#include <stdexcept>
#include <string>

#include "format.h"

// Of LLVM's libunwind, which is part of this library: one entry of an .eh_frame section.
extern "C" void __unw_add_dynamic_fde(std::uintptr_t entry);

namespace macho {
namespace {

constexpr std::uint32_t modeMask = 0x0f000000;
constexpr std::uint32_t modeDwarf = 0x03000000;
constexpr std::uint32_t modeFrameless = 0x02000000;
constexpr std::uint32_t dwarfOffsetMask = 0x00ffffff;
constexpr std::uint32_t framelessSizeMask = 0x00fff000;

void registerEncoding(std::uint32_t encoding, const std::uint8_t* frames) {
  const std::uint32_t mode = encoding & modeMask;
  if (mode == modeDwarf && frames != nullptr) {
    return __unw_add_dynamic_fde(reinterpret_cast<std::uintptr_t>(frames + (encoding & dwarfOffsetMask)));
  }
  // Functions without a frame call nothing, so that no exception passes them. For all that may be passed, the compiler
  // writes an entry of __eh_frame besides; the linker then names that one.
  if (mode == 0 || (mode == modeFrameless && (encoding & framelessSizeMask) == 0)) return;
  throw std::runtime_error("compact unwind encoding " + std::to_string(encoding) + " is not implemented");
}

void registerRegularPage(const std::uint8_t* page, const std::uint8_t* frames) {
  const std::uint8_t* entry = page + readAt<std::uint16_t>(page, 4);
  for (unsigned left = readAt<std::uint16_t>(page, 6); left > 0; left--, entry += 8) {
    registerEncoding(readAt<std::uint32_t>(entry, 4), frames);
  }
}

// Entries hold 8 bits of an index into the common encodings, and after those into the page's own.
void registerCompressedPage(const std::uint8_t* table, const std::uint8_t* page, const std::uint8_t* frames) {
  const std::uint8_t* common = table + readAt<std::uint32_t>(table, 4);
  const std::uint32_t commonCount = readAt<std::uint32_t>(table, 8);
  const std::uint8_t* own = page + readAt<std::uint16_t>(page, 8);
  const std::uint8_t* entry = page + readAt<std::uint16_t>(page, 4);
  for (unsigned left = readAt<std::uint16_t>(page, 6); left > 0; left--, entry += 4) {
    const std::uint32_t index = readAt<std::uint32_t>(entry) >> 24;
    const std::uint8_t* encoding = index < commonCount ? common + 4 * index : own + 4 * (index - commonCount);
    registerEncoding(readAt<std::uint32_t>(encoding), frames);
  }
}

}  // namespace

void registerUnwinding(const std::uint8_t* table, std::size_t bytes, const std::uint8_t* frames) {
  constexpr std::uint32_t version = 1, regular = 2, compressed = 3;
  if (bytes < 28 || readAt<std::uint32_t>(table) != version) throw std::runtime_error("unknown version of __unwind_info");
  const std::uint8_t* index = table + readAt<std::uint32_t>(table, 20);
  for (std::uint32_t left = readAt<std::uint32_t>(table, 24); left > 0; left--, index += 12) {
    const std::uint32_t offset = readAt<std::uint32_t>(index, 4);
    if (offset == 0) continue;  // the last entry only ends the range of the one before
    const std::uint8_t* page = table + offset;
    switch (readAt<std::uint32_t>(page)) {
      case regular: registerRegularPage(page, frames); break;
      case compressed: registerCompressedPage(table, page, frames); break;
      default: throw std::runtime_error("unknown kind of page in __unwind_info");
    }
  }
}

}  // namespace macho
