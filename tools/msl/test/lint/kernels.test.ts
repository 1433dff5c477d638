import { describe, expect, it } from "vitest";
import { lint } from "./kit.js";

describe("kernels: complains of", () => {
  it("a result", async () => {
    expect(await lint("kernel float f() { return 1.0f; }")).toMatchInlineSnapshot(`
      "test.metal:3:8: a kernel returns void
         3 | kernel float f() { return 1.0f; }
           |        ^"
    `);
  });
  it("a parameter without attribute", async () => {
    expect(await lint("kernel void f(uint n) {}")).toMatchInlineSnapshot(`
      "test.metal:3:20: n has no attribute such as [[thread_position_in_grid]]
         3 | kernel void f(uint n) {}
           |                    ^"
    `);
  });
  it("a buffer without index", async () => {
    expect(await lint("kernel void f(device float* y) {}")).toMatchInlineSnapshot(`
      "test.metal:3:29: y has no index; expected [[buffer(n)]]
         3 | kernel void f(device float* y) {}
           |                             ^"
    `);
  });
  it("a buffer without address space", async () => {
    expect(await lint("kernel void f(float* y [[buffer(0)]]) {}")).toMatchInlineSnapshot(`
      "test.metal:3:22: buffer y is a device or constant pointer, or a constant reference
         3 | kernel void f(float* y [[buffer(0)]]) {}
           |                      ^"
    `);
  });
  it("an index that is used twice", async () => {
    expect(
      await lint("kernel void f(device float* x [[buffer(0)]], device float* y [[buffer(0)]]) {}"),
    ).toMatchInlineSnapshot(`
      "test.metal:3:60: buffer index 0 is used twice: by "x" and "y"
         3 | kernel void f(device float* x [[buffer(0)]], device float* y [[buffer(0)]]) {}
           |                                                            ^"
    `);
  });
  it("an index over 30", async () => {
    expect(await lint("kernel void f(device float* x [[buffer(31)]]) {}")).toMatchInlineSnapshot(`
      "test.metal:3:40: buffer index 31 is out of range: 0 to 30
         3 | kernel void f(device float* x [[buffer(31)]]) {}
           |                                        ^"
    `);
  });
  it("an attribute of the wrong type", async () => {
    expect(await lint("kernel void f(float i [[thread_position_in_grid]]) {}")).toMatchInlineSnapshot(`
      "test.metal:3:15: [[thread_position_in_grid]] is of type uint, ushort, uint2, ushort2, uint3 or ushort3
         3 | kernel void f(float i [[thread_position_in_grid]]) {}
           |               ^"
    `);
  });
  it("an attribute that Metal does not have", async () => {
    expect(await lint("kernel void f(uint i [[thread_position_in_gird]]) {}")).toMatchInlineSnapshot(`
      "test.metal:3:24: unknown attribute [[thread_position_in_gird]]
         3 | kernel void f(uint i [[thread_position_in_gird]]) {}
           |                        ^"
    `);
  });
  it("a constant that setBytes does not take", async () => {
    expect(
      await lint("struct P { float a[2000]; };\nkernel void f(constant P& p [[buffer(0)]]) {}"),
    ).toMatchInlineSnapshot(`
      "test.metal:4:24: unknown constant type "P"; known are bool, int, uint, long, ulong, float, int2, int4, uint2, uint4, long2, long4, ulong2, ulong4, float2, float4
         4 | kernel void f(constant P& p [[buffer(0)]]) {}
           |                        ^"
    `);
  });
  it("a template", async () => {
    expect(await lint("template <typename T> kernel void f(device T* x [[buffer(0)]]) {}")).toMatchInlineSnapshot(`
      "test.metal:3:1: a kernel is no template; vary it by type macros
         3 | template <typename T> kernel void f(device T* x [[buffer(0)]]) {}
           | ^"
    `);
  });
  it("a kernel that calls a kernel", async () => {
    expect(
      await lint(
        "kernel void f(device float* y [[buffer(0)]]) {}\nkernel void g(device float* y [[buffer(0)]]) { f(y); }",
      ),
    ).toMatchInlineSnapshot(`
      "test.metal:4:48: f is a kernel, which only a launch starts; move its body to a function
         4 | kernel void g(device float* y [[buffer(0)]]) { f(y); }
           |                                                ^"
    `);
  });
});
