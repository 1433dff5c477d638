// Conversions of 16-bit floats to float32. NaN stays NaN, subnormals keep their values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace metile {

void halfToFloat(const std::uint16_t* source, float* target, std::size_t count);
void bfloatToFloat(const std::uint16_t* source, float* target, std::size_t count);

}  // namespace metile
