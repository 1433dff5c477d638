// metal::fast: what the special function unit gives; what it lacks is metal::precise's.
#pragma once
#include "precise.h"

namespace metal {
namespace fast {

#define METAL_UNIT(name, instruction) \
  METAL_FUNC float name(float x) { \
    float y; \
    asm(instruction " %0, %1;" : "=f"(y) : "f"(x)); \
    return y; \
  }
METAL_UNIT(exp2, "ex2.approx.ftz.f32") METAL_UNIT(log2, "lg2.approx.ftz.f32")
METAL_UNIT(sqrt, "sqrt.approx.ftz.f32") METAL_UNIT(rsqrt, "rsqrt.approx.ftz.f32")
METAL_UNIT(sin, "sin.approx.ftz.f32") METAL_UNIT(cos, "cos.approx.ftz.f32")
METAL_UNIT(tanh, "tanh.approx.f32")
#undef METAL_UNIT
METAL_FUNC float exp(float x) { return exp2(x * 1.4426950408889634f); }
METAL_FUNC float exp10(float x) { return exp2(x * 3.3219280948873623f); }
METAL_FUNC float log(float x) { return log2(x) * 0.6931471805599453f; }
METAL_FUNC float log10(float x) { return log2(x) * 0.3010299956639812f; }
METAL_FUNC float tan(float x) { return sin(x) / cos(x); }
METAL_FUNC float divide(float x, float y) { return __fdividef(x, y); }
METAL_FUNC float powr(float x, float y) { return exp2(y * log2(x)); }
using precise::acos; using precise::acosh; using precise::asin; using precise::asinh; using precise::atan; using precise::atan2;
using precise::atanh; using precise::cosh; using precise::cospi; using precise::expm1; using precise::log1p; using precise::pow;
using precise::sinh; using precise::sinpi; using precise::tanpi;

} // namespace fast
} // namespace metal
