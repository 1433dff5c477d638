// simdgroup_matrix: 8 by 8 numbers that the lanes of a simdgroup hold together, two neighbours of a row each.
//
// Lane b4 b3 b2 b1 b0 (bits) has row b4 b2 b1 and columns b3 b0 0 and b3 b0 1, as was seen on Apple's GPUs; Metal does not
// promise it. Products are summed in float, from k = 0 up.
#pragma once
#include "simdgroup.h"

namespace metal {

METAL_FUNC uint matrix_row(uint lane) { return (lane >> 2 & 4) | (lane >> 1 & 3); }
METAL_FUNC uint matrix_column(uint lane) { return (lane >> 1 & 4) | (lane << 1 & 2); }
// The lane that holds a place.
METAL_FUNC uint matrix_lane(uint row, uint column) {
  return (row << 2 & 16) | (column << 1 & 8) | (row << 1 & 6) | (column >> 1 & 1);
}

template <typename T, int Cols, int Rows> struct simdgroup_matrix {
  static_assert(Cols == 8 && Rows == 8, "matrices of a simdgroup are 8 by 8");
  typedef vec<T, 2> Elements;
  Elements elements;

  simdgroup_matrix() = default;
  METAL_FUNC explicit simdgroup_matrix(T diagonal) {
    const uint lane = metile_lane_index(), row = matrix_row(lane), column = matrix_column(lane);
    elements = Elements(row == column ? diagonal : T(0), row == column + 1 ? diagonal : T(0));
  }
  METAL_FUNC Elements& thread_elements() { return elements; }
  METAL_FUNC const Elements& thread_elements() const { return elements; }
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

template <typename T, int Cols, int Rows> METAL_FUNC simdgroup_matrix<T, Cols, Rows> make_filled_simdgroup_matrix(T value) {
  simdgroup_matrix<T, Cols, Rows> matrix;
  matrix.elements = vec<T, 2>(value);
  return matrix;
}

// Waits until all 32 lanes are here; a lane that does not exist is reported.
#define METAL_MATRIX_LANES(lanes, value) \
  METAL_LANES(lanes, value); \
  if (~lanes->active) metile_lane_missing(ctz(~lanes->active))

// Where the two elements of this lane lie. The origin is x columns and y rows into memory, which may hold the transpose.
struct MatrixPlaces {
  ulong first, second;
  METAL_FUNC MatrixPlaces(ulong elements_per_row, ulong2 origin, bool transpose) {
    const uint lane = metile_lane_index(), row = matrix_row(lane), column = matrix_column(lane);
    const ulong start = origin.y * elements_per_row + origin.x;
    first = start + (transpose ? column * elements_per_row + row : row * elements_per_row + column);
    second = first + (transpose ? elements_per_row : 1);
  }
};

template <typename T> METAL_FUNC void simdgroup_load(simdgroup_matrix<T, 8, 8>& matrix, const T* from, ulong elements_per_row = 8,
                                                     ulong2 matrix_origin = ulong2(0, 0), bool transpose_matrix = false) {
  uint none = 0;
  METAL_MATRIX_LANES(lanes, none);
  const MatrixPlaces at(elements_per_row, matrix_origin, transpose_matrix);
  matrix.elements.x = from[at.first];
  matrix.elements.y = from[at.second];
}
template <typename T> METAL_FUNC void simdgroup_store(simdgroup_matrix<T, 8, 8> matrix, T* to, ulong elements_per_row = 8,
                                                      ulong2 matrix_origin = ulong2(0, 0), bool transpose_matrix = false) {
  uint none = 0;
  METAL_MATRIX_LANES(lanes, none);
  const MatrixPlaces at(elements_per_row, matrix_origin, transpose_matrix);
  to[at.first] = matrix.elements.x;
  to[at.second] = matrix.elements.y;
}

template <typename A, typename B> struct MatrixOperands { // of one lane
  A a[2];
  B b[2];
};
// start + a · b: this lane's two elements.
template <typename D, typename A, typename B, typename C>
inline __attribute__((noinline)) void matrix_product(simdgroup_matrix<D, 8, 8>& d, const simdgroup_matrix<A, 8, 8>& a,
                                                     const simdgroup_matrix<B, 8, 8>& b, vec<C, 2> start) {
  const MatrixOperands<A, B> own = {{a.elements.x, a.elements.y}, {b.elements.x, b.elements.y}};
  METAL_MATRIX_LANES(lanes, own);
  const uint lane = metile_lane_index(), row = matrix_row(lane), column = matrix_column(lane);
  float first = float(start.x), second = float(start.y);
  for (uint k = 0; k < 8; k += 2) {
    const MatrixOperands<A, B> left = lane_value<MatrixOperands<A, B>>(lanes, matrix_lane(row, k));
    for (uint i = 0; i < 2; ++i) {
      const MatrixOperands<A, B> right = lane_value<MatrixOperands<A, B>>(lanes, matrix_lane(k + i, column));
      first = fma(float(left.a[i]), float(right.b[0]), first);
      second = fma(float(left.a[i]), float(right.b[1]), second);
    }
  }
  d.elements = vec<D, 2>(D(first), D(second));
}
template <typename D, typename A, typename B>
METAL_FUNC void simdgroup_multiply(simdgroup_matrix<D, 8, 8>& d, simdgroup_matrix<A, 8, 8>& a, simdgroup_matrix<B, 8, 8>& b) {
  matrix_product(d, a, b, float2(0.0f, 0.0f));
}
template <typename D, typename A, typename B, typename C>
METAL_FUNC void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8>& d, simdgroup_matrix<A, 8, 8>& a, simdgroup_matrix<B, 8, 8>& b,
                                              simdgroup_matrix<C, 8, 8>& c) {
  matrix_product(d, a, b, c.elements);
}

} // namespace metal
