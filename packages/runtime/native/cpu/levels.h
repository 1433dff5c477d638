// What the processor offers to kernels.
#pragma once

#include <string>
#include <vector>

namespace metile {

// Instruction sets for which kernels are built and which this machine runs, the best last: "v3" (AVX2, FMA, BMI, F16C),
// "v4" (AVX-512 F, BW, CD, DQ, VL); "arm64". Empty when there is none.
std::vector<std::string> instructionLevels();

// The processor's name, "unknown" when it does not tell.
std::string processorName();

}  // namespace metile
