import { describe, expect, it } from "vitest";
import { planNamespaces } from "../src/cpp/variant.js";
import { combinations, KNOWN_TYPE_MACROS, readGpuView, Source, SourceLoader } from "../src/index.js";
import { kernelWith, read } from "./kit.js";

const reflect = (text: string, headers?: Record<string, string>) => read(text, headers).file.kernels;
const entries = (text: string) =>
  planNamespaces(read(text).file).flatMap(({ variants }) => variants.map(({ entry }) => entry));

const ROW_HEADER = {
  "metile/row.h": `#pragma once
#include <metal_stdlib>
#ifdef METILE_CPU
#define ROW_MEMORY
#else
#define ROW_MEMORY threadgroup float* scratch [[threadgroup(0)]],
#endif
#define ROW_ARGS ROW_MEMORY \\
  uint group [[threadgroup_position_in_grid]], uint tid [[thread_position_in_threadgroup]]
`,
};

describe("reflection", () => {
  it("is what a host must know of a kernel", () => {
    const text = `#include "metile/row.h"
      // kernel void not_me(device float* x) {
      [[max_total_threads_per_threadgroup(ROW_THREADS)]]
      kernel void norm_forward(device const STORAGE* source [[buffer(0)]], const device GRADIENT *weight [[ buffer(1) ]],
        device STORAGE* output [[buffer(2)]], device atomic_uint* status [[buffer(3)]],
        constant uint& width [[buffer(4)]], constant float& epsilon [[buffer(5)]], constant uint& has_weight [[buffer(6)]],
        ROW_ARGS) {}`;
    expect(reflect(text, ROW_HEADER)).toMatchInlineSnapshot(`
      [
        {
          "attributes": [
            {
              "attribute": "threadgroup_position_in_grid",
              "name": "group",
              "type": "uint",
            },
            {
              "attribute": "thread_position_in_threadgroup",
              "name": "tid",
              "type": "uint",
            },
          ],
          "buffers": [
            {
              "access": "read",
              "element": "STORAGE",
              "index": 0,
              "name": "source",
              "optional": false,
            },
            {
              "access": "read",
              "element": "GRADIENT",
              "index": 1,
              "name": "weight",
              "optional": true,
            },
            {
              "access": "write",
              "element": "STORAGE",
              "index": 2,
              "name": "output",
              "optional": false,
            },
            {
              "access": "write",
              "element": "atomic_uint",
              "index": 3,
              "name": "status",
              "optional": false,
            },
          ],
          "constants": [
            {
              "index": 4,
              "name": "width",
              "type": "uint",
            },
            {
              "index": 5,
              "name": "epsilon",
              "type": "float",
            },
            {
              "automatic": "weight",
              "index": 6,
              "name": "has_weight",
              "type": "uint",
            },
          ],
          "file": "test.metal",
          "line": 4,
          "macros": [
            "STORAGE",
            "GRADIENT",
          ],
          "maxThreads": "ROW_THREADS",
          "name": "norm_forward",
          "threadgroup": [
            {
              "element": "float",
              "index": 0,
              "name": "scratch",
            },
          ],
        },
      ]
    `);
  });

  it("reads one signature however it is written", () => {
    const plain = kernelWith("device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]]");
    const spellings = [
      "kernel void f(const device float *x [[buffer(0)]], const constant uint &n [[buffer(1)]]) {}",
      "[[kernel]] void f(float const device * x[[buffer(0)]], constant unsigned int& n[[buffer(1)]]) { }",
      "kernel void f(device const float* __restrict x [[metal::buffer(0)]], constant metal::uint& n [[buffer(1)] ]) {}",
      "kernel void f(/* ( */ device const float* x [[buffer(0)]], // ), {\n constant uint& n [[buffer(1)]] /* [[ */) {}",
      "#define A device const float* x [[buffer(0)]]\n#define B(n) constant uint& n [[buffer(1)]]\nkernel void f(A, B(n)) {}",
      "#define K(name, ...) kernel void name(__VA_ARGS__) {}\nK(f, device const float* x [[buffer(0)]], constant uint& n [[buffer(1)]])",
      "kernel void f(device const float* \\\n x [[buffer(0)]], constant uint& n [[buffer(1)]]) {}",
      "typedef float T;\nusing N = uint;\nkernel void f(device const T* x [[buffer(0)]], constant N& n [[buffer(1)]]) {}",
      "kernel void f(device const float* x [[buffer(2 - 2)]], constant uint& n [[buffer((7 >> 2) < 2 ? 1 : 9)]]) {}",
    ];
    const facts = (text: string) => reflect(text).map(({ line, ...kernel }) => kernel);
    for (const spelling of spellings) expect(facts(spelling), spelling).toEqual(facts(plain));
    expect(facts(plain.replaceAll(" ", "\r\n"))).toEqual(facts(plain));
  });

  it("gives one name to each type", () => {
    const buffers = ["metal::vec<float, 4>", "packed_vec<half,2>", "atomic<uint>", "unsigned short", "packed_float3"];
    const parameters = buffers.map((type, index) => `device ${type}* b${index} [[buffer(${index})]]`);
    const elements = reflect(kernelWith(parameters.join(", ")))[0]?.buffers.map(({ element }) => element);
    expect(elements).toEqual(["float4", "packed_half2", "atomic_uint", "ushort", "packed_float3"]);
  });

  it("counts 31 buffers, constant pointers among them", () => {
    const parameters = Array.from({ length: 31 }, (_, index) => `constant float* b${index} [[buffer(${index})]]`);
    const buffers = reflect(kernelWith(parameters.join(", ")))[0]?.buffers ?? [];
    expect(buffers.length).toBe(31);
    expect(new Set(buffers.map(({ access }) => access))).toEqual(new Set(["read"]));
  });

  it("names the line of a kernel that a macro makes by the macro's use", () => {
    const kernels = reflect("#define K(n) \\\n kernel void n() {}\n\nK(a)\nK(b)\n");
    expect(kernels.map(({ name, line }) => `${name}:${line}`)).toEqual(["a:4", "b:5"]);
  });

  it("finds kernels behind anything else at file scope", () => {
    const text = `constant float table[2][2] = { { 1, 2 }, { 3, 4 } };
      template <typename T> struct S { T kernel_; void f() { if (1) {} } };
      enum class E { a, b }; static inline float g(float x [[maybe_unused]]) { return x; };
      ${kernelWith("")}`;
    expect(reflect(text).map(({ name }) => name)).toEqual(["f"]);
  });
});

describe("variants", () => {
  it("are the product of the type macros that a kernel uses, each once", () => {
    expect(entries(kernelWith("device STORAGE* x [[buffer(0)]], device const COTANGENT* w [[buffer(1)]]"))).toEqual([
      "f__float_float",
      "f__half_half",
      "f__half_float",
      "f__bfloat_bfloat",
      "f__bfloat_float",
    ]);
    expect(entries(kernelWith("device GRADIENT* x [[buffer(0)]]"))).toEqual(["f__float", "f__half", "f__bfloat"]);
    expect(entries(kernelWith("device float* x [[buffer(0)]]"))).toEqual(["f"]);
    expect(entries(kernelWith("device STORAGE* x [[buffer(0)]], device PARAMETER* w [[buffer(1)]]"))).toHaveLength(3);
    expect(combinations(KNOWN_TYPE_MACROS, ["STORAGE", "COTANGENT", "GRADIENT"]).length).toBe(1 + 4 + 4);
  });

  it("come from the body and from text that kernels share, not from other kernels", () => {
    const own = "kernel void a() { STORAGE x; }\nkernel void b() {}\n";
    expect(entries(own)).toEqual(["a__float", "b", "a__half", "a__bfloat"]);
    const shared = `static float load(device const STORAGE* x) { return x[0]; }\n${own}`;
    expect(entries(shared)).toEqual(["a__float", "b__float", "a__half", "b__half", "a__bfloat", "b__bfloat"]);
    expect(entries("#define UNUSED STORAGE\nkernel void a() {}")).toEqual(["a"]);
    expect(entries("#define USED STORAGE\nkernel void a() { USED x; }")).toHaveLength(3);
  });

  it("count what only one target's branch uses on both", () => {
    expect(entries("kernel void a() {\n#ifndef METILE_CPU\nSTORAGE x;\n#endif\n}")).toHaveLength(3);
  });

  it("follow macros that a file declares, behind the known ones", () => {
    const text = `#pragma metile type TO(float, half)
      #pragma metile type FROM(int, bool)
      ${kernelWith("device const FROM* x [[buffer(0)]], device TO* y [[buffer(1)]], device STORAGE* z [[buffer(2)]]")}`;
    expect(read(text).file.kernels[0]?.macros).toEqual(["STORAGE", "TO", "FROM"]);
    expect(entries(text)).toHaveLength(12);
    expect(entries(text)[1]).toBe("f__float_float_bool");
  });
});

describe("the view of GPUs", () => {
  it("has kernels and parameters that CPUs do not see", () => {
    const text = `#ifndef METILE_CPU
      kernel void only_here(device float* x [[buffer(0)]], uint lane [[thread_index_in_simdgroup]]) {}
      #endif
      `;
    const source = new Source("gpu.metal", text);
    const { kernels, syntax } = readGpuView(source, new SourceLoader("."));
    expect(kernels.map(({ name, line }) => [name, line])).toEqual([["only_here", 2]]);
    expect(syntax[0]?.parameters.map(({ name }) => name.text)).toEqual(["x", "lane"]);
  });
});
