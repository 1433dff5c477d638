#include "unwind.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "format.h"
#include "frames.h"

// Of LLVM's libunwind, which is part of this library: one entry of an .eh_frame section.
extern "C" void __unw_add_dynamic_fde(std::uintptr_t entry);

namespace macho {
namespace {

constexpr std::uint32_t modeMask = 0x0f000000;
constexpr std::uint32_t modeFrameless = 0x02000000;
constexpr std::uint32_t modeDwarf = 0x03000000;
constexpr std::uint32_t modeFrame = 0x04000000;
constexpr std::uint32_t dwarfOffsetMask = 0x00ffffff;
constexpr std::uint32_t hasHandlers = 0x40000000;

struct Range {
  std::uint32_t start;
  std::uint32_t encoding;
};

void readRegularPage(const std::uint8_t* page, std::vector<Range>& ranges) {
  const std::uint8_t* entry = page + readAt<std::uint16_t>(page, 4);
  for (unsigned left = readAt<std::uint16_t>(page, 6); left > 0; left--, entry += 8) {
    ranges.push_back({readAt<std::uint32_t>(entry), readAt<std::uint32_t>(entry, 4)});
  }
}

// Entries hold 24 bits of an address and 8 of an index into the common encodings, and after those into the page's own.
void readCompressedPage(const std::uint8_t* info, const std::uint8_t* page, std::uint32_t base, std::vector<Range>& ranges) {
  const std::uint8_t* common = info + readAt<std::uint32_t>(info, 4);
  const std::uint32_t commonCount = readAt<std::uint32_t>(info, 8);
  const std::uint8_t* own = page + readAt<std::uint16_t>(page, 8);
  const std::uint8_t* entry = page + readAt<std::uint16_t>(page, 4);
  for (unsigned left = readAt<std::uint16_t>(page, 6); left > 0; left--, entry += 4) {
    const std::uint32_t word = readAt<std::uint32_t>(entry);
    const std::uint32_t index = word >> 24;
    const std::uint8_t* encoding = index < commonCount ? common + 4 * index : own + 4 * (index - commonCount);
    ranges.push_back({base + (word & 0xffffff), readAt<std::uint32_t>(encoding)});
  }
}

// All ranges in order; the last one only says where the code ends.
std::vector<Range> readRanges(const std::uint8_t* info) {
  constexpr std::uint32_t regular = 2, compressed = 3;
  std::vector<Range> ranges;
  const std::uint8_t* index = info + readAt<std::uint32_t>(info, 20);
  for (std::uint32_t left = readAt<std::uint32_t>(info, 24); left > 0; left--, index += 12) {
    const std::uint32_t base = readAt<std::uint32_t>(index);
    const std::uint32_t offset = readAt<std::uint32_t>(index, 4);
    if (offset == 0) {
      ranges.push_back({base, 0});
      continue;
    }
    switch (readAt<std::uint32_t>(info + offset)) {
      case regular: readRegularPage(info + offset, ranges); break;
      case compressed: readCompressedPage(info, info + offset, base, ranges); break;
      default: throw std::runtime_error("unknown kind of page in __unwind_info");
    }
  }
  return ranges;
}

// Where the frames that catch or clean up have their tables, by the start of the function.
std::map<std::uint32_t, std::uint32_t> readHandlers(const std::uint8_t* info) {
  std::map<std::uint32_t, std::uint32_t> handlers;
  const std::uint8_t* index = info + readAt<std::uint32_t>(info, 20);
  const std::uint32_t count = readAt<std::uint32_t>(info, 24);
  if (count == 0) return handlers;
  const std::uint32_t end = readAt<std::uint32_t>(index + 12 * (count - 1), 8);
  for (std::uint32_t at = readAt<std::uint32_t>(index, 8); at < end; at += 8) {
    handlers[readAt<std::uint32_t>(info, at)] = readAt<std::uint32_t>(info, at + 4);
  }
  return handlers;
}

}  // namespace

void registerUnwinding(const UnwindTables& tables) {
  const std::uint8_t* info = tables.info;
  if (tables.infoBytes < 28 || readAt<std::uint32_t>(info) != 1) throw std::runtime_error("unknown version of __unwind_info");
  const std::uint8_t* personalities = info + readAt<std::uint32_t>(info, 12);
  const std::map<std::uint32_t, std::uint32_t> handlers = readHandlers(info);
  const std::vector<Range> ranges = readRanges(info);
  for (std::size_t index = 0; index + 1 < ranges.size(); index++) {
    const auto [start, encoding] = ranges[index];
    const std::uint32_t bytes = ranges[index + 1].start - start;
    const std::uint32_t mode = encoding & modeMask;
    if (bytes == 0 || mode == 0) continue;
    if (mode == modeDwarf && tables.frames != nullptr) {
      __unw_add_dynamic_fde(reinterpret_cast<std::uintptr_t>(tables.frames + (encoding & dwarfOffsetMask)));
      continue;
    }
    if (mode == modeFrameless) continue;  // keeps its return address in a register, so that it calls nothing
    if (mode != modeFrame) throw std::runtime_error("unwind encoding " + std::to_string(encoding) + " is not implemented");
    Frame frame{tables.image + start, bytes, encoding, nullptr, nullptr};
    if ((encoding & hasHandlers) != 0) {
      const auto found = handlers.find(start);
      const std::uint32_t personality = encoding >> 28 & 3;
      if (found == handlers.end() || personality == 0) {
        throw std::runtime_error("__unwind_info has no handlers for the function at " + std::to_string(start));
      }
      frame.personality = tables.image + readAt<std::uint32_t>(personalities, 4 * (personality - 1));
      frame.handlers = tables.image + found->second;
    }
    registerFrame(frame);
  }
}

}  // namespace macho
