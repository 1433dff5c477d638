#pragma once

#include <cstdint>

namespace macho {

// How exceptions pass a piece of code whose functions keep a frame pointer.
struct Frame {
  const std::uint8_t* code;
  std::uint64_t bytes;
  std::uint32_t encoding;         // which registers the functions save, in __unwind_info's bits
  const void* personality;        // null, or a place that holds the address of C++'s function for frames that catch
  const std::uint8_t* handlers;   // null, or the frame's part of __gcc_except_tab
};

// Describes it to the unwinder of this process, which only reads the format of .eh_frame.
void registerFrame(const Frame& frame);

}  // namespace macho
