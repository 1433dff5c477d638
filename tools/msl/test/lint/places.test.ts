import { describe, expect, it } from "vitest";
import { lint, lintBody } from "./kit.js";

describe("places: complains of", () => {
  it("a variable of the file", async () => {
    expect(await lint("float g = 1.0f;")).toMatchInlineSnapshot(`
      "test.metal:3:1: a variable outside of functions lies in constant memory; write constant before it
         3 | float g = 1.0f;
           | ^"
    `);
  });
  it("a constexpr variable of the file", async () => {
    expect(await lint("constexpr float g = 1.0f;")).toMatchInlineSnapshot(`
      "test.metal:3:1: a variable outside of functions lies in constant memory; write constant before it
         3 | constexpr float g = 1.0f;
           | ^"
    `);
  });
  it("an array of the file", async () => {
    expect(await lint("const float g[2] = {1.0f, 2.0f};")).toMatchInlineSnapshot(`
      "test.metal:3:1: a variable outside of functions lies in constant memory; write constant before it
         3 | const float g[2] = {1.0f, 2.0f};
           | ^"
    `);
  });
  it("a static member", async () => {
    expect(await lint("struct A { static constexpr int n = 4; };")).toMatchInlineSnapshot(`
      "test.metal:3:12: a static member lies in constant memory; write static constant constexpr
         3 | struct A { static constexpr int n = 4; };
           |            ^"
    `);
  });
  it("threadgroup memory of the file", async () => {
    expect(await lint("threadgroup float s[32];")).toMatchInlineSnapshot(`
      "test.metal:3:1: threadgroup memory is declared in a kernel, or is a kernel's [[threadgroup(n)]] parameter
         3 | threadgroup float s[32];
           | ^"
    `);
  });
  it("threadgroup memory of a function", async () => {
    expect(
      await lint("inline float f(uint t) { threadgroup float s[32]; s[t] = 1.0f; return s[t]; }"),
    ).toMatchInlineSnapshot(`
      "test.metal:3:44: s lies in threadgroup memory, which only a kernel declares; pass a pointer
         3 | inline float f(uint t) { threadgroup float s[32]; s[t] = 1.0f; return s[t]; }
           |                                            ^"
    `);
  });
  it("a pointer parameter without address space", async () => {
    expect(await lint("inline void f(float* p) { p[0] = 1.0f; }")).toMatchInlineSnapshot(`
      "test.metal:3:20: this pointer has no address space; write device, constant, threadgroup or thread
         3 | inline void f(float* p) { p[0] = 1.0f; }
           |                    ^"
    `);
  });
  it("a const pointer parameter without address space", async () => {
    expect(await lint("inline float f(uint n, const float* p) { return p[n]; }")).toMatchInlineSnapshot(`
      "test.metal:3:35: this pointer has no address space; write device, constant, threadgroup or thread
         3 | inline float f(uint n, const float* p) { return p[n]; }
           |                                   ^"
    `);
  });
  it("a reference parameter without address space", async () => {
    expect(await lint("inline void f(float& p) { p = 1.0f; }")).toMatchInlineSnapshot(`
      "test.metal:3:20: this reference has no address space; write device, constant, threadgroup or thread
         3 | inline void f(float& p) { p = 1.0f; }
           |                    ^"
    `);
  });
  it("a copy constructor without address space", async () => {
    expect(await lint("struct A { float a; A(const A& other) : a(other.a) {} };")).toMatchInlineSnapshot(`
      "test.metal:3:30: this reference has no address space; write device, constant, threadgroup or thread
         3 | struct A { float a; A(const A& other) : a(other.a) {} };
           |                              ^"
    `);
  });
  it("a pointer member without address space", async () => {
    expect(await lint("struct A { float* p; };")).toMatchInlineSnapshot(`
      "test.metal:3:17: this pointer has no address space; write device, constant, threadgroup or thread
         3 | struct A { float* p; };
           |                 ^"
    `);
  });
  it("a result without address space", async () => {
    expect(await lint("inline float* f(thread float* p) { return p; }")).toMatchInlineSnapshot(`
      "test.metal:3:13: this pointer has no address space; write device, constant, threadgroup or thread
         3 | inline float* f(thread float* p) { return p; }
           |             ^"
    `);
  });
  it("an alias without address space", async () => {
    expect(await lint("typedef float* Pointer;")).toMatchInlineSnapshot(`
      "test.metal:3:14: this pointer has no address space; write device, constant, threadgroup or thread
         3 | typedef float* Pointer;
           |              ^"
    `);
  });
  it("an alias by using without address space", async () => {
    expect(await lint("using Pointer = float*;")).toMatchInlineSnapshot(`
      "test.metal:3:22: this pointer has no address space; write device, constant, threadgroup or thread
         3 | using Pointer = float*;
           |                      ^"
    `);
  });
  it("a pointer variable without address space", async () => {
    expect(await lintBody("float* p = y + i; *p = 1.0f;")).toMatchInlineSnapshot(`
      "test.metal:6:8: this pointer has no address space; write device, constant, threadgroup or thread
         6 |   float* p = y + i; *p = 1.0f;
           |        ^"
    `);
  });
  it("a reference variable without address space", async () => {
    expect(await lintBody("const float& a = x[i]; y[i] = a;")).toMatchInlineSnapshot(`
      "test.metal:6:14: this reference has no address space; write device, constant, threadgroup or thread
         6 |   const float& a = x[i]; y[i] = a;
           |              ^"
    `);
  });
  it("a pointer in for without address space", async () => {
    expect(await lintBody("for (const float* p = x; p < x + n; ++p) y[i] += *p;")).toMatchInlineSnapshot(`
      "test.metal:6:19: this pointer has no address space; write device, constant, threadgroup or thread
         6 |   for (const float* p = x; p < x + n; ++p) y[i] += *p;
           |                   ^"
    `);
  });
  it("initialised threadgroup memory", async () => {
    expect(await lintBody("threadgroup float s[2] = {0.0f, 1.0f}; y[i] = s[i & 1];")).toMatchInlineSnapshot(`
      "test.metal:6:26: threadgroup memory has no initialiser; let threads write s, then a barrier
         6 |   threadgroup float s[2] = {0.0f, 1.0f}; y[i] = s[i & 1];
           |                          ^"
    `);
  });
  it("more than 32 KiB of threadgroup memory", async () => {
    expect(
      await lintBody("threadgroup float a[64][64]; threadgroup half b[64 * 132]; a[0][0] = b[0]; y[i] = 0.0f;"),
    ).toMatchInlineSnapshot(`
      "test.metal:6:49: with b the kernel has 33280 bytes of threadgroup memory; there are 32768
         6 |   threadgroup float a[64][64]; threadgroup half b[64 * 132]; a[0][0] = b[0]; y[i] = 0.0f;
           |                                                 ^"
    `);
  });
  it("constant memory in a function", async () => {
    expect(await lintBody("constant float a[2] = {1.0f, 2.0f}; y[i] = a[i & 1];")).toMatchInlineSnapshot(`
      "test.metal:6:18: automatic variable qualified with an address space
         6 |   constant float a[2] = {1.0f, 2.0f}; y[i] = a[i & 1];
           |                  ^"
    `);
  });
  it("device memory in a function", async () => {
    expect(await lintBody("device float a = 1.0f; y[i] = a;")).toMatchInlineSnapshot(`
      "test.metal:6:16: automatic variable qualified with an address space
         6 |   device float a = 1.0f; y[i] = a;
           |                ^"
    `);
  });
});
