// metal::precise: roots correctly rounded, the rest CUDA's accurate functions (1 to 2 ulp over all floats; pow 4).
#pragma once
#include "arithmetic.h"

namespace metal {
namespace precise {

METAL_FUNC float sqrt(float x) { return __fsqrt_rn(x); }
METAL_FUNC float rsqrt(float x) { return __frsqrt_rn(x); }
METAL_FUNC float divide(float x, float y) { return __fdiv_rn(x, y); }
#define METAL_UNARY(name) METAL_FUNC float name(float x) { return ::name##f(x); }
METAL_UNARY(exp) METAL_UNARY(exp2) METAL_UNARY(exp10) METAL_UNARY(log) METAL_UNARY(log2) METAL_UNARY(log10)
METAL_UNARY(expm1) METAL_UNARY(log1p)
METAL_UNARY(sin) METAL_UNARY(cos) METAL_UNARY(tan) METAL_UNARY(sinpi) METAL_UNARY(cospi)
METAL_UNARY(asin) METAL_UNARY(acos) METAL_UNARY(atan) METAL_UNARY(sinh) METAL_UNARY(cosh) METAL_UNARY(tanh)
METAL_UNARY(asinh) METAL_UNARY(acosh) METAL_UNARY(atanh)
#undef METAL_UNARY
METAL_FUNC float tanpi(float x) { return sinpi(x) / cospi(x); }
METAL_FUNC float atan2(float y, float x) { return ::atan2f(y, x); }
METAL_FUNC float pow(float x, float y) { return ::powf(x, y); }
METAL_FUNC float powr(float x, float y) { return x < 0.0f ? NAN : ::powf(x, y); }

} // namespace precise
} // namespace metal
