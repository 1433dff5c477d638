// Numbers and shapes of Mach-O files, from Apple's <mach-o/loader.h>, <mach-o/compact_unwind_encoding.h>.
#pragma once

#include <cstdint>
#include <cstring>

namespace macho {

constexpr std::uint32_t magic64 = 0xfeedfacf;
constexpr std::uint32_t cpuArm64 = 0x0100000c;
constexpr std::size_t headerBytes = 32;
constexpr std::size_t pageBytes = 0x4000;

namespace command {
constexpr std::uint32_t segment = 0x19;
constexpr std::uint32_t loadDylib = 0xc;
constexpr std::uint32_t dyldInfo = 0x80000022;
constexpr std::uint32_t chainedFixups = 0x80000034;
}  // namespace command

namespace section {
constexpr std::uint32_t typeMask = 0xff;
constexpr std::uint32_t initializers = 0x09;         // addresses of functions
constexpr std::uint32_t threadData = 0x11;           // the initial values of a thread's variables
constexpr std::uint32_t threadZeros = 0x12;          // those that begin as zero
constexpr std::uint32_t threadVariables = 0x13;      // descriptors
constexpr std::uint32_t initializerOffsets = 0x16;   // 32 bits each, from the start of the image
}  // namespace section

// Which library an import names, besides 1 and up for the libraries of the load commands.
constexpr std::int64_t ordinalFlat = -2;

template <typename Number>
Number readAt(const void* place, std::size_t offset = 0) {
  Number number;
  std::memcpy(&number, static_cast<const char*>(place) + offset, sizeof number);
  return number;
}

}  // namespace macho
