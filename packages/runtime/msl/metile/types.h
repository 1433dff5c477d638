// Constants and element types shared by every kernel.
#pragma once
#include <metal_stdlib>
using namespace metal;

#define LOG2E 1.44269504f
#define LN2 0.69314718f
#define LOWEST (-2.2e38f) /* where maxima start: finite, and so is LOWEST * LOG2E, so that a run of -INFINITY weighs 0, not NaN */

// What an absent buffer reads as.
enum struct Absent : uint { zeros, ones };

// What storing as E does to a value: one rounding, none for float.
template <typename E> METAL_FUNC float rounded(float value) { return float(E(value)); }
// The same where `condition`, chosen by mask: a branch would make compilers copy the loop around it.
template <typename E> METAL_FUNC float rounded_if(bool condition, float value) {
  const uint mask = 0u - (uint)condition;
  return as_type<float>((as_type<uint>(rounded<E>(value)) & mask) | (as_type<uint>(value) & ~mask));
}
