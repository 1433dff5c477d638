import { describe, expect, it } from "vitest";
import { complaint, kernelWith } from "./kit.js";

// Each message: where, what is wrong, what is wanted; then the line with a caret.

describe("attributes: complains of", () => {
  it("an unknown attribute of a parameter", () => {
    expect(complaint(kernelWith("uint i [[thread_in_grid]]"))).toMatchInlineSnapshot(`
      "test.metal:1:24: unknown attribute [[thread_in_grid]]
         1 | kernel void f(uint i [[thread_in_grid]]) {}
           |                        ^"
    `);
  });
  it("an unknown attribute of a kernel", () => {
    expect(complaint(`[[early]] ${kernelWith("")}`)).toMatchInlineSnapshot(`
      "test.metal:1:3: unknown attribute [[early]] of a kernel
         1 | [[early]] kernel void f() {}
           |   ^"
    `);
  });
  it("a buffer without index", () => {
    expect(complaint(kernelWith("device float* x"))).toMatchInlineSnapshot(`
      "test.metal:1:29: x has no index; expected [[buffer(n)]]
         1 | kernel void f(device float* x) {}
           |                             ^"
    `);
  });
  it("[[buffer]] without number", () => {
    expect(complaint(kernelWith("device float* x [[buffer]]"))).toMatchInlineSnapshot(`
      "test.metal:1:33: [[buffer(n)]] needs an index
         1 | kernel void f(device float* x [[buffer]]) {}
           |                                 ^"
    `);
  });
  it("an index that is no constant", () => {
    expect(complaint(kernelWith("device float* x [[buffer(N)]]"))).toMatchInlineSnapshot(`
      "test.metal:1:40: "N" has no value here; an integer constant expression was expected
         1 | kernel void f(device float* x [[buffer(N)]]) {}
           |                                        ^"
    `);
  });
  it("an index that is used twice", () => {
    expect(
      complaint(kernelWith("device float* x [[buffer(0)]],\n  constant uint& n [[buffer(3 - 3)]]")),
    ).toMatchInlineSnapshot(`
      "test.metal:2:18: buffer index 0 is used twice: by "x" and "n"
         2 |   constant uint& n [[buffer(3 - 3)]]) {}
           |                  ^"
    `);
  });
  it("more than 31 buffers", () => {
    expect(complaint(kernelWith("device float* x [[buffer(31)]]"))).toMatchInlineSnapshot(`
      "test.metal:1:40: buffer index 31 is out of range: 0 to 30
         1 | kernel void f(device float* x [[buffer(31)]]) {}
           |                                        ^"
    `);
  });
  it("threadgroup memory without index", () => {
    expect(complaint(kernelWith("threadgroup float* s"))).toMatchInlineSnapshot(`
      "test.metal:1:34: s has no index; expected [[threadgroup(n)]]
         1 | kernel void f(threadgroup float* s) {}
           |                                  ^"
    `);
  });
  it("a parameter without attribute", () => {
    expect(complaint(kernelWith("uint n"))).toMatchInlineSnapshot(`
      "test.metal:1:20: n has no attribute such as [[thread_position_in_grid]]
         1 | kernel void f(uint n) {}
           |                    ^"
    `);
  });
  it("two attributes", () => {
    expect(complaint(kernelWith("uint i [[thread_position_in_grid, threads_per_grid]]"))).toMatchInlineSnapshot(`
      "test.metal:1:49: i has two attributes; one was expected
         1 | kernel void f(uint i [[thread_position_in_grid, threads_per_grid]]) {}
           |                                                 ^"
    `);
  });
  it("an attribute of another type", () => {
    expect(complaint(kernelWith("uint3 lane [[thread_index_in_simdgroup]]"))).toMatchInlineSnapshot(`
      "test.metal:1:15: [[thread_index_in_simdgroup]] is of type uint or ushort
         1 | kernel void f(uint3 lane [[thread_index_in_simdgroup]]) {}
           |               ^"
    `);
  });
  it("a limit of threads without number", () => {
    expect(complaint(`[[max_total_threads_per_threadgroup]] ${kernelWith("")}`)).toMatchInlineSnapshot(`
      "test.metal:1:3: [[max_total_threads_per_threadgroup(n)]] needs a number
         1 | [[max_total_threads_per_threadgroup]] kernel void f() {}
           |   ^"
    `);
  });
});

describe("types: complains of", () => {
  it("an unknown element type", () => {
    expect(complaint(kernelWith("device Particle* x [[buffer(0)]]"))).toMatchInlineSnapshot(`
      "test.metal:1:22: unknown element type "Particle"; known are STORAGE, PARAMETER, COTANGENT, GRADIENT, scalars, their vectors
         1 | kernel void f(device Particle* x [[buffer(0)]]) {}
           |                      ^"
    `);
  });
  it("an unknown constant type", () => {
    expect(complaint(kernelWith("constant Options& x [[buffer(0)]]"))).toMatchInlineSnapshot(`
      "test.metal:1:24: unknown constant type "Options"; known are bool, int, uint, long, ulong, float, int2, int4, uint2, uint4, long2, long4, ulong2, ulong4, float2, float4
         1 | kernel void f(constant Options& x [[buffer(0)]]) {}
           |                        ^"
    `);
  });
  it("a constant whose type varies", () => {
    expect(complaint(kernelWith("constant STORAGE& x [[buffer(0)]]"))).toMatchInlineSnapshot(`
      "test.metal:1:24: unknown constant type "STORAGE"; known are bool, int, uint, long, ulong, float, int2, int4, uint2, uint4, long2, long4, ulong2, ulong4, float2, float4
         1 | kernel void f(constant STORAGE& x [[buffer(0)]]) {}
           |                        ^"
    `);
  });
  it("a buffer that is a value", () => {
    expect(complaint(kernelWith("float x [[buffer(0)]]"))).toMatchInlineSnapshot(`
      "test.metal:1:21: buffer x is a device or constant pointer, or a constant reference
         1 | kernel void f(float x [[buffer(0)]]) {}
           |                     ^"
    `);
  });
  it("threadgroup memory that is a device pointer", () => {
    expect(complaint(kernelWith("device float* s [[threadgroup(0)]]"))).toMatchInlineSnapshot(`
      "test.metal:1:29: s is a threadgroup pointer
         1 | kernel void f(device float* s [[threadgroup(0)]]) {}
           |                             ^"
    `);
  });
  it("pointers to pointers", () => {
    expect(complaint(kernelWith("device float** x [[buffer(0)]]"))).toMatchInlineSnapshot(`
      "test.metal:1:28: a kernel's parameter is a value, one pointer or one reference
         1 | kernel void f(device float** x [[buffer(0)]]) {}
           |                            ^"
    `);
  });
  it("a flag without its buffer", () => {
    expect(
      complaint(kernelWith("device float* x [[buffer(0)]], constant uint& has_weight [[buffer(1)]]")),
    ).toMatchInlineSnapshot(`
      "test.metal:1:61: has_weight tells whether buffer weight is bound, but there is no such buffer
         1 | kernel void f(device float* x [[buffer(0)]], constant uint& has_weight [[buffer(1)]]) {}
           |                                                             ^"
    `);
  });
  it("a flag that is a float", () => {
    expect(
      complaint(kernelWith("device float* x [[buffer(0)]], constant float& has_x [[buffer(1)]]")),
    ).toMatchInlineSnapshot(`
      "test.metal:1:62: has_x is a flag: uint, int or bool
         1 | kernel void f(device float* x [[buffer(0)]], constant float& has_x [[buffer(1)]]) {}
           |                                                              ^"
    `);
  });
  it("status words of another type", () => {
    expect(complaint(kernelWith("device float* status [[buffer(0)]]"))).toMatchInlineSnapshot(`
      "test.metal:1:29: status holds a launch's status words: device atomic_uint* or device uint*
         1 | kernel void f(device float* status [[buffer(0)]]) {}
           |                             ^"
    `);
  });
});

describe("kernels: complains of", () => {
  it("a template", () => {
    expect(complaint(`template <typename T> ${kernelWith("device T* x [[buffer(0)]]")}`)).toMatchInlineSnapshot(`
      "test.metal:1:1: a kernel is no template; vary it by type macros
         1 | template <typename T> kernel void f(device T* x [[buffer(0)]]) {}
           | ^"
    `);
  });
  it("a result", () => {
    expect(complaint("kernel float f() { return 1; }")).toMatchInlineSnapshot(`
      "test.metal:1:8: a kernel returns void
         1 | kernel float f() { return 1; }
           |        ^"
    `);
  });
  it("a declaration without body", () => {
    expect(complaint("kernel void f();")).toMatchInlineSnapshot(`
      "test.metal:1:16: the body of f was expected: {
         1 | kernel void f();
           |                ^"
    `);
  });
  it("a scope other than the file's", () => {
    expect(complaint(`namespace a {\n${kernelWith("")}}`)).toMatchInlineSnapshot(`
      "test.metal:2:1: a kernel is declared at the scope of its file, not in a namespace or function
         2 | kernel void f() {}
           | ^"
    `);
  });
  it("the name of another", () => {
    expect(complaint(kernelWith("").repeat(2))).toMatchInlineSnapshot(`
      "test.metal:2:13: two kernels are called f
         2 | kernel void f() {}
           |             ^"
    `);
  });
  it("two parameters of one name", () => {
    expect(
      complaint(kernelWith("uint i [[threads_per_grid]], uint i [[thread_position_in_grid]]")),
    ).toMatchInlineSnapshot(`
      "test.metal:1:49: two parameters are called i
         1 | kernel void f(uint i [[threads_per_grid]], uint i [[thread_position_in_grid]]) {}
           |                                                 ^"
    `);
  });
  it("a parameter that is missing", () => {
    expect(
      complaint(kernelWith("uint i [[threads_per_grid]],, uint j [[thread_position_in_grid]]")),
    ).toMatchInlineSnapshot(`
      "test.metal:1:79: a parameter is missing between two commas
         1 | kernel void f(uint i [[threads_per_grid]],, uint j [[thread_position_in_grid]]) {}
           |                                                                               ^"
    `);
  });
  it("another interface on CPUs", () => {
    expect(
      complaint(
        `#ifdef METILE_CPU\n#define T float\n#else\n#define T half\n#endif\n${kernelWith("device T* x [[buffer(0)]]")}`,
      ),
    ).toMatchInlineSnapshot(`
      "test.metal:6:13: kernel f has another interface where METILE_CPU is not defined
         6 | kernel void f(device T* x [[buffer(0)]]) {}
           |             ^"
    `);
  });
  it("absence on CPUs", () => {
    expect(complaint(`#ifndef METILE_CPU\n${kernelWith("")}#endif\n`)).toMatchInlineSnapshot(`
      "test.metal:2:13: kernel f is missing where METILE_CPU is defined
         2 | kernel void f() {}
           |             ^"
    `);
  });
  it("absence on GPUs", () => {
    expect(complaint(`#ifdef METILE_CPU\n${kernelWith("")}#endif\n`)).toMatchInlineSnapshot(`
      "test.metal:2:13: kernel f is missing where METILE_CPU is not defined
         2 | kernel void f() {}
           |             ^"
    `);
  });
});

describe("brackets: complains of", () => {
  it("a brace that is never closed", () => {
    expect(complaint("kernel void f() {\n  if (true) {\n}\n")).toMatchInlineSnapshot(`
      "test.metal:1:17: this { is never closed
         1 | kernel void f() {
           |                 ^"
    `);
  });
  it("a brace that closes nothing", () => {
    expect(complaint("void g() {}\n}\n")).toMatchInlineSnapshot(`
      "test.metal:2:1: this } closes nothing
         2 | }
           | ^"
    `);
  });
  it("a bracket that meets another", () => {
    expect(complaint("void g(int a[3) {}")).toMatchInlineSnapshot(`
      "test.metal:1:15: ) meets the [ of line 1
         1 | void g(int a[3) {}
           |               ^"
    `);
  });
});

describe("directives: complains of", () => {
  it("a header that is not there, with the way to it", () => {
    expect(
      complaint('#include "metile/a.h"\n', { "metile/a.h": '#pragma once\n\n#include "metile/b.h"\n' }),
    ).toMatchInlineSnapshot(`
      "metile/a.h:3:10: "metile/b.h" was not found
         3 | #include "metile/b.h"
           |          ^
      included from test.metal:1"
    `);
  });
  it("a system header that is not Metal's", () => {
    expect(complaint("#include <vector>\n")).toMatchInlineSnapshot(`
      "test.metal:1:10: <vector> is no header of Metal; shared headers are included as "metile/…"
         1 | #include <vector>
           |          ^"
    `);
  });
  it("#error", () => {
    expect(complaint("#ifdef METILE_CPU\n#error don't compile this for CPUs\n#endif")).toMatchInlineSnapshot(`
      "test.metal:2:1: #error don't compile this for CPUs
         2 | #error don't compile this for CPUs
           | ^"
    `);
  });
  it("a condition without end", () => {
    expect(complaint("#if 1\n")).toMatchInlineSnapshot(`
      "test.metal:1:1: this condition has no #endif
         1 | #if 1
           | ^"
    `);
  });
  it("#else and #endif without #if", () => {
    expect(complaint("#else\n")).toMatchInlineSnapshot(`
      "test.metal:1:1: #else without #if
         1 | #else
           | ^"
    `);
  });
  it("a condition that is no expression", () => {
    expect(complaint("#if 1 +\n#endif")).toMatchInlineSnapshot(`
      "test.metal:1:7: a value was expected here
         1 | #if 1 +
           |       ^"
    `);
  });
  it("a function that is no macro in a condition", () => {
    expect(complaint("#if has(x)\n#endif")).toMatchInlineSnapshot(`
      "test.metal:1:5: "has" has no value here; an integer constant expression was expected
         1 | #if has(x)
           |     ^"
    `);
  });
  it("an unknown directive", () => {
    expect(complaint("#import x")).toMatchInlineSnapshot(`
      "test.metal:1:1: unknown directive #import
         1 | #import x
           | ^"
    `);
  });
  it("too few arguments of a macro", () => {
    expect(complaint("#define f(a, b) a\nf(1)")).toMatchInlineSnapshot(`
      "test.metal:2:1: macro f takes 2 arguments, but 1 came
         2 | f(1)
           | ^"
    `);
  });
  it("arguments without end", () => {
    expect(complaint("#define f(a) a\nf(1")).toMatchInlineSnapshot(`
      "test.metal:2:1: the arguments of macro f have no closing )
         2 | f(1
           | ^"
    `);
  });
  it("tokens that cannot be pasted", () => {
    expect(complaint("#define f(a, b) a##b\nf(+, /)")).toMatchInlineSnapshot(`
      "test.metal:2:1: pasting "+" and "/" does not give one token
         2 | f(+, /)
           | ^"
    `);
  });
  it("a macro that is defined wrongly", () => {
    expect(complaint("#define f(a b) a")).toMatchInlineSnapshot(`
      "test.metal:1:13: the parameters of f are names with commas between, ... last
         1 | #define f(a b) a
           |             ^"
    `);
  });
  it("a string without end", () => {
    expect(complaint('constant float x = "a;\n')).toMatchInlineSnapshot(`
      "test.metal:1:20: this " has no closing partner on its line
         1 | constant float x = "a;
           |                    ^"
    `);
  });
  it("a file that includes itself", () => {
    expect(complaint('#include "metile/a.h"\n', { "metile/a.h": '#include "metile/a.h"\n' })).toMatchInlineSnapshot(`
      "metile/a.h:1:1: metile/a.h includes itself
         1 | #include "metile/a.h"
           | ^
      included from test.metal:1"
    `);
  });
  it("a type macro that is defined", () => {
    expect(complaint("#define STORAGE float")).toMatchInlineSnapshot(`
      "test.metal:1:9: STORAGE is a type macro: every variant defines it
         1 | #define STORAGE float
           |         ^"
    `);
  });
  it("a type macro in a shared header", () => {
    expect(complaint('#include "metile/a.h"\n', { "metile/a.h": "typedef STORAGE T; // no\n" })).toMatchInlineSnapshot(`
      "metile/a.h:1:9: a shared header does not use type macro STORAGE; take the type as a template parameter
         1 | typedef STORAGE T; // no
           |         ^"
    `);
  });
  it("a pragma that is unknown", () => {
    expect(complaint("#pragma metile inline\n")).toMatchInlineSnapshot(`
      "test.metal:1:16: unknown #pragma metile inline; expected type or alias
         1 | #pragma metile inline
           |                ^"
    `);
  });
  it("a type macro with values that are no types", () => {
    expect(complaint("#pragma metile type FROM(float, double)\n")).toMatchInlineSnapshot(`
      "test.metal:1:33: double is no type of tensors; known are float, half, bfloat, int, uint, bool
         1 | #pragma metile type FROM(float, double)
           |                                 ^"
    `);
  });
  it("a type macro that is declared twice", () => {
    expect(complaint("#pragma metile type STORAGE(float)\n")).toMatchInlineSnapshot(`
      "test.metal:1:21: STORAGE is a type macro already
         1 | #pragma metile type STORAGE(float)
           |                     ^"
    `);
  });
  it("a type macro without values", () => {
    expect(complaint("#pragma metile type FROM float\n")).toMatchInlineSnapshot(`
      "test.metal:1:21: expected #pragma metile type NAME(type, type, …)
         1 | #pragma metile type FROM float
           |                     ^"
    `);
  });
});

describe("macros that make kernels: complains of", () => {
  it("a wrong parameter, with the place of the use", () => {
    expect(
      complaint(`#define K(name) ${kernelWith("uint i [[index]]").replace("f(", "name(").trim()}\n\n  K(f)\n`),
    ).toMatchInlineSnapshot(`
      "test.metal:1:43: unknown attribute [[index]]
         1 | #define K(name) kernel void name(uint i [[index]]) {}
           |                                           ^
      in the use of a macro at test.metal:3:3"
    `);
  });
});
