#include "convert.h"

#include <cstring>

namespace metile {
namespace {

float fromBits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t toBits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

void halfToFloat(const std::uint16_t* source, float* target, std::size_t count) {
  // Exponent and fraction moved to their places read as the value times 2^-112, subnormals included.
  constexpr std::uint32_t scaleBits = 0x77800000;  // 2^112
  const float scale = fromBits(scaleBits);
  for (std::size_t index = 0; index < count; index++) {
    const std::uint32_t bits = source[index];
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t rest = (bits & 0x7fffu) << 13;
    const std::uint32_t finite = toBits(fromBits(rest) * scale);
    const std::uint32_t special = rest | 0x7f800000u;  // infinity and NaN
    const std::uint32_t mask = rest >= 0x0f800000u ? 0xffffffffu : 0u;
    const std::uint32_t result = sign | (special & mask) | (finite & ~mask);
    std::memcpy(&target[index], &result, sizeof result);
  }
}

void bfloatToFloat(const std::uint16_t* source, float* target, std::size_t count) {
  for (std::size_t index = 0; index < count; index++) {
    const std::uint32_t bits = static_cast<std::uint32_t>(source[index]) << 16;
    std::memcpy(&target[index], &bits, sizeof bits);
  }
}

void convertBytes(const std::byte* source, std::uint64_t bytes, Conversion conversion, void* target) {
  if (conversion == Conversion::none) {
    std::memcpy(target, source, bytes);
    return;
  }
  const auto* elements = reinterpret_cast<const std::uint16_t*>(source);
  if (conversion == Conversion::half) halfToFloat(elements, static_cast<float*>(target), bytes / 2);
  else bfloatToFloat(elements, static_cast<float*>(target), bytes / 2);
}

}  // namespace metile
