#include <metal_stdlib>
using namespace metal;

// Copies and fills of memory as it is, in units of 16, 4 or 1 bytes: the largest that sizes and offsets allow. On a GPU the
// addon launches these itself; on a CPU it has memcpy and memset.
//   target[i] = source[i] for i < count
//   target[i] = pattern's bytes for i < count
#define TRANSFER_ARGS uint group [[threadgroup_position_in_grid]], uint groups [[threadgroups_per_grid]], \
  uint tid [[thread_position_in_threadgroup]]
#define FOR_UNITS(i) for (ulong i = (ulong)group * ROW_THREADS + tid; i < count; i += (ulong)groups * ROW_THREADS)

kernel void copy_16(device const uint4* source [[buffer(0)]], device uint4* target [[buffer(1)]],
                    constant ulong& count [[buffer(2)]], TRANSFER_ARGS) {
  FOR_UNITS(i) target[i] = source[i];
}
kernel void copy_4(device const uint* source [[buffer(0)]], device uint* target [[buffer(1)]],
                   constant ulong& count [[buffer(2)]], TRANSFER_ARGS) {
  FOR_UNITS(i) target[i] = source[i];
}
kernel void copy_1(device const uchar* source [[buffer(0)]], device uchar* target [[buffer(1)]],
                   constant ulong& count [[buffer(2)]], TRANSFER_ARGS) {
  FOR_UNITS(i) target[i] = source[i];
}

kernel void fill_16(device uint4* target [[buffer(1)]], constant ulong& count [[buffer(2)]],
                    constant uint& pattern [[buffer(3)]], TRANSFER_ARGS) {
  FOR_UNITS(i) target[i] = uint4(pattern);
}
kernel void fill_4(device uint* target [[buffer(1)]], constant ulong& count [[buffer(2)]],
                   constant uint& pattern [[buffer(3)]], TRANSFER_ARGS) {
  FOR_UNITS(i) target[i] = pattern;
}
kernel void fill_1(device uchar* target [[buffer(1)]], constant ulong& count [[buffer(2)]],
                   constant uint& pattern [[buffer(3)]], TRANSFER_ARGS) {
  FOR_UNITS(i) target[i] = uchar(pattern);
}
