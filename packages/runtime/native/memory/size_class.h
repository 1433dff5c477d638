// Sizes of blocks: multiples of 64 up to 512 bytes, then eight a power of two, so that at most an eighth is unused.
#pragma once

#include <cstddef>
#include <cstdint>

namespace metile {

constexpr std::uint32_t sizeClassCount = 8 + 8 * 40;
constexpr std::uint64_t largestBlock = 1ull << 48;  // the last class; more than an address space holds

// The class of the smallest blocks that hold `bytes` (at most largestBlock).
inline std::uint32_t sizeClassOf(std::uint64_t bytes) {
  if (bytes <= 64) return 0;
  if (bytes <= 512) return static_cast<std::uint32_t>((bytes - 1) / 64);
  const int power = 63 - __builtin_clzll(bytes - 1);  // 2^power < bytes <= 2^(power + 1)
  const std::uint64_t part = (bytes - 1 - (1ull << power)) >> (power - 3);
  return 8 + static_cast<std::uint32_t>(power - 9) * 8 + static_cast<std::uint32_t>(part);
}

inline std::uint64_t bytesOfSizeClass(std::uint32_t sizeClass) {
  if (sizeClass < 8) return (sizeClass + std::uint64_t{1}) * 64;
  const std::uint32_t power = 9 + (sizeClass - 8) / 8;
  const std::uint64_t part = (sizeClass - 8) % 8 + 1;
  return (1ull << power) + (part << (power - 3));
}

}  // namespace metile
