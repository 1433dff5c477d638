// Which of metal::precise and metal::fast a bare name means, and the functions that both have in common.
#pragma once
#include "fast.h"

#define METAL_BOTH(name) \
  namespace fast { using metal::name; } \
  namespace precise { using metal::name; }
namespace metal {
METAL_BOTH(abs) METAL_BOTH(fabs) METAL_BOTH(floor) METAL_BOTH(ceil) METAL_BOTH(trunc) METAL_BOTH(rint) METAL_BOTH(round)
METAL_BOTH(fma) METAL_BOTH(fmod) METAL_BOTH(fract) METAL_BOTH(sign) METAL_BOTH(max) METAL_BOTH(min) METAL_BOTH(fmax)
METAL_BOTH(fmin) METAL_BOTH(clamp) METAL_BOTH(saturate)
} // namespace metal
#undef METAL_BOTH

#ifdef METILE_FAST_MATH
#define METAL_DEFAULT fast
#else
#define METAL_DEFAULT precise
#endif
namespace metal {
using METAL_DEFAULT::acos; using METAL_DEFAULT::acosh; using METAL_DEFAULT::asin; using METAL_DEFAULT::asinh;
using METAL_DEFAULT::atan; using METAL_DEFAULT::atan2; using METAL_DEFAULT::atanh; using METAL_DEFAULT::cos;
using METAL_DEFAULT::cosh; using METAL_DEFAULT::cospi; using METAL_DEFAULT::divide; using METAL_DEFAULT::exp;
using METAL_DEFAULT::exp10; using METAL_DEFAULT::exp2; using METAL_DEFAULT::expm1; using METAL_DEFAULT::log;
using METAL_DEFAULT::log10; using METAL_DEFAULT::log1p; using METAL_DEFAULT::log2; using METAL_DEFAULT::pow;
using METAL_DEFAULT::powr; using METAL_DEFAULT::rsqrt; using METAL_DEFAULT::sin; using METAL_DEFAULT::sinh;
using METAL_DEFAULT::sinpi; using METAL_DEFAULT::sqrt; using METAL_DEFAULT::tan; using METAL_DEFAULT::tanh;
using METAL_DEFAULT::tanpi;
} // namespace metal
#undef METAL_DEFAULT
