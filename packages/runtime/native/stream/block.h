// A piece of device memory. Blocks outlive the storages that use them: the device's arena keeps and reuses them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace metile {

struct Block {
  std::byte* data = nullptr;     // where the host sees it
  std::size_t capacity = 0;      // bytes that may be used
  std::uint64_t lastUse = 0;     // sequence number of the last command that touches it
  bool zero = false;             // holds zeros only, since nobody has written to it
  void* handle = nullptr;        // what a GPU knows the memory by, and the bytes from there
  std::uint64_t start = 0;
  mutable std::uint64_t readMark = 0;   // a GPU's: since which barrier it is read, and written
  mutable std::uint64_t writeMark = 0;
  std::uint32_t sizeClass = 0;   // the arena's own from here on
  void* region = nullptr;
};

}  // namespace metile
