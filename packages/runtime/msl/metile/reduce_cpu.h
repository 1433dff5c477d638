// Reductions on a CPU: a threadgroup of one thread, which keeps ROW_LANES partial sums.
#pragma once
#include "metile/row_cpu.h"

// A row sum in a fixed number of partial sums, column i into number i % ROW_LANES, folded as a fixed tree, tile by tile:
// additions that a compiler may do side by side without being allowed to reorder any, in chains short enough that rounding
// stays small in the widest rows.
struct Sum {
  alignas(64) float lanes[ROW_LANES];
  float tiles; // what earlier tiles came to
  METAL_FUNC Sum() : tiles(0.0f) { clear(); }
  METAL_FUNC void clear() { for (uint i = 0; i < ROW_LANES; ++i) lanes[i] = 0.0f; }
  METAL_FUNC void add(Column i, float value) { lanes[i.lane] += value; }
  METAL_FUNC void add(Column i, float a, float b) { lanes[i.lane] = fma(a, b, lanes[i.lane]); } // a * b, unrounded
  METAL_FUNC void next_tile() {
    tiles = value();
    clear();
  }
  METAL_FUNC float value() const {
    float folded[ROW_LANES / 2];
    for (uint i = 0; i < 16; ++i) folded[i] = lanes[i] + lanes[i + 16];
    for (uint i = 0; i < 8; ++i) folded[i] += folded[i + 8];
    for (uint i = 0; i < 4; ++i) folded[i] += folded[i + 4];
    for (uint i = 0; i < 2; ++i) folded[i] += folded[i + 2];
    return tiles + (folded[0] + folded[1]);
  }
};
static_assert(ROW_LANES == 32, "Sum::value folds 32");

// A running maximum on the bits of floats, which vectorises where a comparison of floats, strict about NaN, does not.
// Positive floats order like signed integers; among negative ones the largest has the smallest unsigned pattern.
// A NaN of positive sign wins; one of negative sign may be lost here: add what is computed from every value, such as
// the sum of exponentials, to let it through.
struct Maximum {
  int positive;
  uint negative;
  METAL_FUNC explicit Maximum(float start) : positive(as_type<int>(start)), negative(as_type<uint>(start)) {}
  METAL_FUNC void take(float value) {
    positive = max(positive, as_type<int>(value));
    negative = min(negative, as_type<uint>(value));
  }
  METAL_FUNC float value() const { return positive >= 0 ? as_type<float>(positive) : as_type<float>(negative); }
};

struct Team {
  METAL_FUNC Team(threadgroup float*, uint, uint) {}
  METAL_FUNC float sum(float own) { return own; }
  METAL_FUNC float sum(thread const Sum& own) { return own.value(); }
  METAL_FUNC float2 sum(thread const Sum& a, thread const Sum& b) { return float2(a.value(), b.value()); }
  METAL_FUNC float max(float own) { return own; }
  METAL_FUNC float max(thread const Maximum& own) { return own.value(); }
};
