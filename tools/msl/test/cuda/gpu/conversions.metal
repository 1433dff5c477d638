#include <metal_stdlib>
using namespace metal;

// Conversions of 16-bit floats, one element a thread; the pairs take two floats at once, as packets do.
#define EACH constant uint& count [[buffer(2)]], uint i [[thread_position_in_grid]]

kernel void half_to_float(device const half* source [[buffer(0)]], device float* target [[buffer(1)]], EACH) {
  if (i < count) target[i] = source[i];
}
kernel void bfloat_to_float(device const bfloat* source [[buffer(0)]], device float* target [[buffer(1)]], EACH) {
  if (i < count) target[i] = float(source[i]);
}
kernel void float_to_half(device const float* source [[buffer(0)]], device half* target [[buffer(1)]], EACH) {
  if (i < count) target[i] = half(source[i]);
}
kernel void float_to_bfloat(device const float* source [[buffer(0)]], device bfloat* target [[buffer(1)]], EACH) {
  if (i < count) target[i] = bfloat(source[i]);
}
kernel void floats_to_halves(device const float2* source [[buffer(0)]], device uint* target [[buffer(1)]], EACH) {
  if (i < count) target[i] = as_type<uint>(half2(source[i]));
}
kernel void floats_to_bfloats(device const float2* source [[buffer(0)]], device uint* target [[buffer(1)]], EACH) {
  if (i < count) target[i] = as_type<uint>(bfloat2(source[i]));
}
kernel void halves_to_floats(device const uint* source [[buffer(0)]], device float2* target [[buffer(1)]], EACH) {
  if (i < count) target[i] = float2(as_type<half2>(source[i]));
}
kernel void uint_to_bfloat(device const uint* source [[buffer(0)]], device bfloat* target [[buffer(1)]], EACH) {
  if (i < count) target[i] = bfloat(source[i]);
}
kernel void int_to_half(device const int* source [[buffer(0)]], device half* target [[buffer(1)]], EACH) {
  if (i < count) target[i] = half(source[i]);
}
