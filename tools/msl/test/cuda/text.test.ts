import { describe, expect, it } from "vitest";
import { rewritten } from "./kit.js";

/** The CUDA of a text that stands before an empty kernel. */
function before(text: string): string {
  const end = "\nkernel void end() {}\n";
  const result = rewritten(`${text}${end}`);
  expect(result.endsWith("\nMETILE_KERNEL void end() {}\n")).toBe(true);
  return result.slice(0, result.length - "\nMETILE_KERNEL void end() {}\n".length);
}

describe("address spaces", () => {
  it.each([
    ["device const float* p;", " const float* p;"],
    ["METAL_FUNC void f(thread float& x, device uint* y);", "METAL_FUNC void f( float& x,  uint* y);"],
    ["x = *(device const uint4*)from;", "x = *( const uint4*)from;"],
    ["void f(constant float* t);", "void f(const float* t);"],
    ["void f(constant const float* t);", "void f( const float* t);"],
    ["void f(const constant float& t);", "void f(const  float& t);"],
    ["void f(float constant* t);", "void f(float const* t);"],
    ["float get() const device;", "float get() const ;"],
    [
      "void f(threadgroup float* s, threadgroup const Sum<float, 2>& t);",
      "void f( float* s,  const Sum<float, 2>& t);",
    ],
    ["typedef threadgroup float* Scratch;", "typedef  float* Scratch;"],
    ["template <typename T> struct Of<threadgroup T> {};", "template <typename T> struct Of< T> {};"],
    ["threadgroup float (*rows)[4];", " float (*rows)[4];"],
  ])("%s", (metal, cuda) => {
    expect(before(metal)).toBe(cuda);
  });
});

describe("variables", () => {
  it.each([
    ["threadgroup float sums[32][33];", "METILE_SHARED float sums[32][33];"],
    ["{ threadgroup float a[4]; threadgroup uint b; }", "{ METILE_SHARED float a[4]; METILE_SHARED uint b; }"],
    ["{ threadgroup Tile<float, 4>::Memory m, n; }", "{ METILE_SHARED Tile<float, 4>::Memory m, n; }"],
    ["{ threadgroup Tile<device float*> m; }", "{ METILE_SHARED Tile< float*> m; }"],
    ["constant float TABLE[2] = {1.0f, 2.0f};", "__constant__ const float TABLE[2] = {1.0f, 2.0f};"],
    ["constant constexpr uint N = 4;", "__constant__ constexpr uint N = 4;"],
    ["static constant const uint N{4};", "static __constant__ const uint N{4};"],
    ["constexpr constant uint N = 4;", "constexpr __constant__ uint N = 4;"],
  ])("%s", (metal, cuda) => {
    expect(before(metal)).toBe(cuda);
  });
  it("in the definition of a macro", () => {
    expect(before("#define SCRATCH(T) threadgroup T scratch[64]")).toBe(
      "#define SCRATCH(T) METILE_SHARED T scratch[64]",
    );
    expect(
      before("#define PARTS threadgroup float* parts [[threadgroup(1)]], \\\n  constant uint& n [[buffer(2)]]"),
    ).toBe("#define PARTS  float* parts , \\\n  const uint& n ");
  });
  it("refuses a macro that hides which variables lie in threadgroup memory", () => {
    expect(() => before("\n#define SHARED threadgroup")).toThrow(
      "test.metal:2:16: a macro that is threadgroup alone hides variables from CUDA; write threadgroup where one is declared",
    );
  });
});

describe("attributes and kernels", () => {
  it.each([
    ["[[kernel]] void f() {}", "METILE_KERNEL void f() {}"],
    ["[[max_total_threads_per_threadgroup(64)]] kernel void f() {}", " METILE_KERNEL void f() {}"],
    ["kernel void f(uint i [[thread_position_in_grid]]) {}", "METILE_KERNEL void f(uint i ) {}"],
    ["#define KERNEL(name) kernel void name", "#define KERNEL(name) METILE_KERNEL void name"],
    ["void g() { a[b[0]] = c[d[1]]; }", "void g() { a[b[0]] = c[d[1]]; }"],
    ["void g() { [[maybe_unused]] int a; }", "void g() {  int a; }"],
  ])("%s", (metal, cuda) => {
    expect(before(metal)).toBe(cuda);
  });
});

describe("pragmas, includes, literals", () => {
  it.each([
    ['#define UNROLL _Pragma("clang loop unroll(full)")', '#define UNROLL _Pragma("unroll")'],
    ['#define ROLLED _Pragma("clang loop unroll(disable)")', '#define ROLLED _Pragma("unroll 1")'],
    ['#define FOUR _Pragma("clang loop unroll_count(4)")', '#define FOUR _Pragma("unroll 4")'],
    ['_Pragma("clang loop vectorize(enable)") for (;;) {}', " for (;;) {}"],
    ["#pragma clang loop unroll(full)", "#pragma unroll"],
    ["#pragma unroll", "#pragma unroll"],
    ["#pragma metile type FROM(float, half)", ""],
    ["#pragma METAL fp math_mode(safe)", ""],
    ["#include <metal_stdlib>\nusing namespace metal;", "\nusing namespace metal;"],
    ["half a = 1.5h, b = 2H;", "half a = half(1.5f), b = half(2.0f);"],
    ["bfloat a = 1.0bf;", "bfloat a = bfloat(1.0f);"],
    [
      "float a = 0.1, b = 1e-5, c = .5, d = 0x1p-3, e = 2., f = 1.0f;",
      "float a = 0.1f, b = 1e-5f, c = .5f, d = 0x1p-3f, e = 2.f, f = 1.0f;",
    ],
    ["uint a = 0x1F, b = 10u, c = 1'000, d = 0xEu;", "uint a = 0x1F, b = 10u, c = 1'000, d = 0xEu;"],
    ["#if ROW_WIDE > 1\n#endif", "#if ROW_WIDE > 1\n#endif"],
  ])("%s", (metal, cuda) => {
    expect(before(metal)).toBe(cuda);
  });
  it("leaves comments, strings and conditions, and every line where it is", () => {
    const text = "// device kernel 1.0h\n#ifdef METILE_CPU /* thread */\nconstant\n  float* a;\n#else\n#endif";
    expect(before(text)).toBe(
      "// device kernel 1.0h\n#ifdef METILE_CPU /* thread */\nconst\n  float* a;\n#else\n#endif",
    );
    const [metal, cuda] = [`${text}\nint end;`, before(`${text}\nint end;`)];
    expect(cuda.split("\n").length).toBe(metal.split("\n").length);
  });
});
