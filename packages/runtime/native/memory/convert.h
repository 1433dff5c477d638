// Conversions of 16-bit floats to float32. NaN stays NaN, subnormals keep their values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../stream/device.h"

namespace metile {

void halfToFloat(const std::uint16_t* source, float* target, std::size_t count);
void bfloatToFloat(const std::uint16_t* source, float* target, std::size_t count);

// `bytes` of the source, copied or as floats.
void convertBytes(const std::byte* source, std::uint64_t bytes, Conversion conversion, void* target);

}  // namespace metile
