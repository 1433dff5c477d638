import { describe, expect, it } from "vitest";
import { writeCuda } from "../../src/index.js";
import { entries } from "./kit.js";

const GRID = "const cuda::Extent metile_groups, const cuda::Extent metile_first";

describe("the entry of a kernel", () => {
  it("takes buffers and constants by rising index, then offsets of threadgroup memory, then the grid", () => {
    const text = `kernel void f(constant uint& n [[buffer(3)]], threadgroup float* second [[threadgroup(1)]],
      device const STORAGE* x [[buffer(2)]], threadgroup uint* first [[threadgroup(0)]], device float* y [[buffer(0)]],
      uint i [[thread_position_in_grid]]) {}`;
    expect(entries(text)).toBe(
      `extern "C" __global__ void METILE_BOUNDS f(float* metile_buffer_0, const STORAGE* metile_buffer_2, uint metile_buffer_3, const unsigned metile_offset_0, const unsigned metile_offset_1, ${GRID}) {
  extern __shared__ __align__(16) unsigned char metile_shared[];
  metal::f(metile_buffer_3, (float*)(metile_shared + metile_offset_1), metile_buffer_2, (uint*)(metile_shared + metile_offset_0), metile_buffer_0, uint(((metile_first.x + blockIdx.x) * blockDim.x + threadIdx.x)));
}
`,
    );
    expect(writeCuda(text, "f.metal").kernels).toEqual([
      {
        name: "f",
        arguments: [
          { index: 0, name: "y", kind: "pointer" },
          { index: 2, name: "x", kind: "pointer" },
          { index: 3, name: "n", kind: "value" },
        ],
        threadgroup: [0, 1],
      },
    ]);
  });

  it("takes parameters and indices that macros make", () => {
    const text = `#define ARGS(n) device float* x [[buffer(n)]], uint tid [[thread_position_in_threadgroup]]
#define WHOLE(name) kernel void name(ARGS(1 + 1)) {}
WHOLE(f)`;
    expect(entries(text)).toContain(
      `f(float* metile_buffer_2, ${GRID}) {\n  metal::f(metile_buffer_2, uint(threadIdx.x));`,
    );
  });

  it("takes a bool as the four bytes that the host sends, an alias of it too", () => {
    const text = `typedef bool Flag;
kernel void f(constant bool& a [[buffer(0)]], constant Flag& b [[buffer(1)]], constant ulong4& c [[buffer(2)]]) {}`;
    expect(entries(text)).toContain("f(uint metile_buffer_0, uint metile_buffer_1, ulong4 metile_buffer_2,");
    expect(entries(text)).toContain("metal::f(metile_buffer_0 != 0u, metile_buffer_1 != 0u, metile_buffer_2);");
  });

  it("takes references to device memory, tables and status words as pointers", () => {
    const text = `kernel void f(device uint& x [[buffer(0)]], constant float* table [[buffer(1)]],
      device atomic_uint* status [[buffer(2)]]) {}`;
    expect(entries(text)).toContain(
      "f(uint* metile_buffer_0, const float* metile_buffer_1, atomic_uint* metile_buffer_2,",
    );
    expect(entries(text)).toContain("metal::f(*metile_buffer_0, metile_buffer_1, metile_buffer_2);");
  });

  it("is bound by what the kernel says", () => {
    expect(entries("[[max_total_threads_per_threadgroup(ROW_THREADS)]] kernel void f() {}")).toContain(
      'extern "C" __global__ void METILE_BOUNDS_OF(ROW_THREADS) f(',
    );
  });

  it.each([
    ["uint", "threadgroup_position_in_grid", "uint((metile_first.x + blockIdx.x))"],
    ["uint3", "threadgroups_per_grid", "uint3(metile_groups.x, metile_groups.y, metile_groups.z)"],
    ["ushort2", "threads_per_threadgroup", "ushort2(blockDim.x, blockDim.y)"],
    ["uint", "threads_per_grid", "uint((metile_groups.x * blockDim.x))"],
    ["ushort", "thread_index_in_threadgroup", "ushort(threadIdx.x)"],
    ["uint", "thread_index_in_simdgroup", "uint((threadIdx.x & 31u))"],
    ["uint", "simdgroup_index_in_threadgroup", "uint((threadIdx.x >> 5))"],
    ["uint", "simdgroups_per_threadgroup", "uint((((blockDim.x * blockDim.y * blockDim.z) + 31u) >> 5))"],
    ["uint", "threads_per_simdgroup", "uint(32u)"],
  ])("gives a %s of [[%s]]", (type, attribute, value) => {
    expect(entries(`kernel void f(${type} a [[${attribute}]]) {}`)).toContain(`metal::f(${value});`);
  });

  it("counts threads in three dimensions where the kernel has them", () => {
    const text = "kernel void f(uint2 p [[thread_position_in_threadgroup]], uint i [[thread_index_in_threadgroup]]) {}";
    expect(entries(text)).toContain(
      "metal::f(uint2(threadIdx.x, threadIdx.y), uint(((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)));",
    );
  });

  it("is written for the branch that GPUs see", () => {
    const text = `#ifdef METILE_CPU
kernel void f(device float* cpu [[buffer(0)]]) {}
#else
kernel void f(device uint* gpu [[buffer(0)]]) {}
#endif`;
    expect(entries(text)).toContain("f(uint* metile_buffer_0,");
    expect(writeCuda(text, "f.metal").kernels.length).toBe(1);
  });
});

describe("writeCuda", () => {
  it("is a function of the text", () => {
    const text = "kernel void f(device float* x [[buffer(0)]]) {}\n";
    expect(writeCuda(text, "a.metal")).toEqual(writeCuda(text, "a.metal"));
  });
  it("names the file and line of a mistake, by #line too", () => {
    expect(() => writeCuda("\nkernel void f(device float* x) {}\n", "src/a.metal")).toThrow(
      "src/a.metal:2:29: x has no index; expected [[buffer(n)]]\n   2 | kernel void f(device float* x) {}",
    );
    const inlined =
      '#line 1 "a.metal"\nint x;\n#line 40 "metile/b.h"\n\nkernel void f(uint i [[nowhere]]) {}\n#line 3 "a.metal"\n';
    expect(() => writeCuda(inlined, "a.metal")).toThrow("metile/b.h:41:24: unknown attribute [[nowhere]]");
  });
});
