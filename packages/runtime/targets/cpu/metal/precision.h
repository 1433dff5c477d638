// metal::precise and metal::fast: one implementation serves both here.
#pragma once
#include "exponential.h"
#include "logarithm.h"

#define METAL_BOTH(name) \
  namespace metal { \
  namespace fast { using metal::name; } \
  namespace precise { using metal::name; } \
  }
METAL_BOTH(exp) METAL_BOTH(exp2) METAL_BOTH(exp10) METAL_BOTH(expm1) METAL_BOTH(tanh)
METAL_BOTH(log) METAL_BOTH(log2) METAL_BOTH(log10) METAL_BOTH(log1p)
METAL_BOTH(sqrt) METAL_BOTH(rsqrt) METAL_BOTH(fma) METAL_BOTH(abs) METAL_BOTH(fabs)
METAL_BOTH(floor) METAL_BOTH(ceil) METAL_BOTH(trunc) METAL_BOTH(rint) METAL_BOTH(round) METAL_BOTH(sign)
METAL_BOTH(max) METAL_BOTH(min) METAL_BOTH(fmax) METAL_BOTH(fmin) METAL_BOTH(clamp) METAL_BOTH(saturate)
#undef METAL_BOTH
