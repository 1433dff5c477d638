import { describe, expect, it } from "vitest";
import { inlineIncludes, readKernelFile, SourceLoader, writeLibrary } from "../src/index.js";
import { complaint, read, temporaryFolder } from "./kit.js";

/** The C++ of a file's first variant, without entries. */
function functions(text: string, headers: Record<string, string> = {}): string {
  const { file, loader } = read(text, headers);
  const cpp = writeLibrary([file], loader).text;
  return cpp.slice(cpp.indexOf('#line 1 "test.metal"'), cpp.indexOf('#line 1 "entries of test.metal"'));
}

/** The C++ behind the prelude and headers. */
function entry(text: string): string {
  const { file, loader } = read(text);
  const cpp = writeLibrary([file], loader).text;
  return cpp.slice(cpp.indexOf('extern "C" void'), cpp.indexOf("\n}\n}\n") + 3);
}

describe("the C++ of a kernel", () => {
  it("keeps every line, and columns where there is room", () => {
    const text = `#include <metal_stdlib>
// comment
kernel void scale(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]], constant uint& n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) { // here
  if (i >= n) return; y[i] = 2 * x[i];
  threadgroup float a[2]; threadgroup float* p = a;
}
`;
    const cpp = functions(text);
    expect(cpp).toMatchInlineSnapshot(`
      "#line 1 "test.metal"

      // comment
      METILE_KERNEL void metile_kernel_scale(const float* __restrict x, float* __restrict y, const uint n, uint i)

                                                            { // here
                            y[i] = 2 * x[i];
        alignas(64) float a[2]; threadgroup float* p = a;
      }

      "
    `);
    const lines = cpp.split("\n").slice(1);
    const column = (word: string, source: string[]) => source.map((line) => line.indexOf(word)).find((at) => at >= 0);
    for (const word of ["// here", "y[i] = 2", "float a[2]", "float* p"]) {
      expect(column(word, lines)).toBe(column(word, text.split("\n")));
    }
  });

  it("loads constants once and bounds the loop by the guard", () => {
    const text = `kernel void scale(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
      constant uint& rows [[buffer(2)]], constant uint& columns [[buffer(3)]], uint2 i [[thread_position_in_grid]]) {
      if (i.x >= rows * columns + 1) { return; }
      y[i.x] = x[i.x];
    }`;
    expect(entry(text)).toMatchInlineSnapshot(`
      "extern "C" void scale(const metile_launch* metile_at, uint64_t metile_begin, uint64_t metile_end) {
        const float* const x = (const float*)metile_at->buffers[0];
        float* const y = (float*)metile_at->buffers[1];
        const uint rows = metile_constant<uint>(metile_at->buffers[2]);
        const uint columns = metile_constant<uint>(metile_at->buffers[3]);
        const uint32_t metile_groups_x = metile_at->groups[0], metile_groups_y = metile_at->groups[1];
        const uint32_t metile_groups_z = metile_at->groups[2];
        while (metile_begin < metile_end) {
          const uint64_t metile_row = metile_begin / metile_groups_x;
          const uint32_t metile_first = (uint32_t)(metile_begin - metile_row * metile_groups_x);
          const uint32_t metile_y = (uint32_t)(metile_row % metile_groups_y);
          const uint32_t metile_z = (uint32_t)(metile_row / metile_groups_y);
          const uint64_t metile_left = metile_end - metile_begin;
          const uint32_t metile_space = metile_groups_x - metile_first;
          const uint32_t metile_count = metile_left < metile_space ? (uint32_t)metile_left : metile_space;
          uint32_t metile_last = metile_first + metile_count;
          const uint64_t metile_limit = rows * columns + 1;
          if (metile_last > metile_limit) metile_last = (uint32_t)metile_limit;
          METILE_INDEPENDENT
          for (uint32_t metile_x = metile_first; metile_x < metile_last; ++metile_x)
            metile_kernel_scale(x, y, rows, columns, uint2(metile_x, metile_y));
          metile_begin += metile_count;
        }
      }
      "
    `);
  });

  it("leaves a guard alone that is none of the loop's business", () => {
    const kernel = (guard: string) => `kernel void f(device float* y [[buffer(0)]], constant uint& n [[buffer(1)]],
      constant int& m [[buffer(2)]], uint2 i [[thread_position_in_grid]], uint t [[thread_index_in_simdgroup]]) {
      ${guard} y[i.x] = 1; }`;
    const kept = [
      "if (i.x >= m) return;",
      "if (i.y >= n) return;",
      "if (t >= n) return;",
      "if (i.x >= uint(y[0])) return;",
    ];
    for (const guard of [
      ...kept,
      "if (i.x > n) return;",
      "if (i.x >= n) y[0] = 2;",
      "if (i.x >= n || t > 1) return;",
    ]) {
      expect(functions(kernel(guard))).toContain(guard);
    }
    expect(functions(kernel("if (i.x >= n) return;"))).not.toContain("return");
  });

  it("runs threads in order where they share memory", () => {
    const kernel = (memory: string) => `kernel void f(device float* y [[buffer(0)]], ${memory}
      uint i [[thread_position_in_grid]]) { y[i] = 1; }`;
    expect(entry(kernel(""))).toContain("METILE_INDEPENDENT");
    expect(entry(kernel("threadgroup float* s [[threadgroup(0)]],"))).not.toContain("METILE_INDEPENDENT");
    expect(entry(kernel("device atomic_uint* a [[buffer(1)]],"))).not.toContain("METILE_INDEPENDENT");
  });

  it("says that buffers do not overlap, unless a pragma says they may", () => {
    const kernel = `kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
      device float* z [[buffer(2)]]) {}`;
    const restricted = (text: string) =>
      functions(text)
        .match(/__restrict \w/g)
        ?.map((word) => word.at(-1));
    expect(restricted(kernel)).toEqual(["x", "y", "z"]);
    expect(restricted(`#pragma metile alias(x, y)\n${kernel}`)).toEqual(["z"]);
    expect(restricted(`#pragma metile alias\n${kernel}`)).toBeUndefined();
    expect(restricted(`#pragma metile alias\nkernel void g() {}\n${kernel}`)).toEqual(["x", "y", "z"]);
    const { file, loader } = read(`#pragma metile alias(w)\n${kernel}`);
    expect(() => writeLibrary([file], loader)).toThrowErrorMatchingInlineSnapshot(`
      [MslError: test.metal:1:22: kernel f has no buffer w
         1 | #pragma metile alias(w)
           |                      ^]
    `);
  });

  it("has shared headers once, text by variant, and no macro that outlives its file", () => {
    const headers = { "metile/a.h": "#pragma once\ninline float two() { return 2; }\n" };
    const text =
      '#include "metile/a.h"\n#define HALF 0.5f\nkernel void f(device STORAGE* x [[buffer(0)]]) { x[0] = HALF * two(); }';
    const { file, loader } = read(text, headers);
    const cpp = writeLibrary([file, file], loader).text;
    expect(cpp.match(/float two\(\)/g)).toHaveLength(1);
    expect(cpp.match(/x\[0\] = HALF/g)).toHaveLength(6);
    expect(cpp.match(/#define HALF/g)).toHaveLength(6);
    expect(cpp.match(/#undef HALF/g)).toHaveLength(6);
    expect(cpp.match(/#undef STORAGE/g)).toHaveLength(6);
  });

  it("has the text of files beside the kernel in place, with their own names and lines", () => {
    const folder = temporaryFolder({
      "src/a/a.metal": '#include "../near.h"\nkernel void f(device STORAGE* x [[buffer(0)]]) { x[0] = two(); }\n',
      "src/near.h": "#pragma once\nstatic STORAGE two() { return 2; }\n",
    });
    const loader = new SourceLoader(`${folder}/msl`);
    const file = readKernelFile(loader.load(`${folder}/src/a/a.metal`, "src/a/a.metal"), loader);
    const cpp = writeLibrary([file], loader).text;
    expect(cpp.match(/#line 1 "src\/near\.h"\n#pragma once\nstatic STORAGE two/g)).toHaveLength(3);
    expect(cpp).toContain('#line 1 "src/a/a.metal"\n\nMETILE_KERNEL void metile_kernel_f(');
  });

  it("is the same for the same text", () => {
    const text = "kernel void f(device STORAGE* x [[buffer(0)]]) {}";
    const once = () => {
      const { file, loader } = read(text);
      return writeLibrary([file], loader).text;
    };
    expect(once()).toBe(once());
  });

  it("needs macros that make all of a kernel or none of its ends", () => {
    const text = "#define HEAD(n) void helper() {} kernel void n(\nHEAD(f) device float* x [[buffer(0)]]) {}";
    const { file, loader } = read(text);
    expect(complaint(text)).toBe("no complaint");
    expect(() => writeLibrary([file], loader)).toThrowErrorMatchingInlineSnapshot(`
      [MslError: test.metal:1:34: a macro makes part of this kernel; let it make all or none
         1 | #define HEAD(n) void helper() {} kernel void n(
           |                                  ^
      in the use of a macro at test.metal:2:1]
    `);
  });
});

describe("the self-contained text", () => {
  it("has includes in place, each once, and lines that keep their names", () => {
    const headers = {
      "metile/a.h": '#pragma once\n#include "metile/b.h"\nint a;\n',
      "metile/b.h": "#pragma once\n#include <metal_stdlib>\nint b;",
    };
    const { file, loader } = read('// first\n#include "metile/a.h"\n#include "metile/b.h"\nint c;\n', headers);
    expect(inlineIncludes(file.source, loader)).toMatchInlineSnapshot(`
      "#line 1 "test.metal"
      // first
      #line 1 "metile/a.h"

      #line 1 "metile/b.h"

      #include <metal_stdlib>
      int b;
      #line 3 "metile/a.h"
      int a;
      #line 3 "test.metal"

      int c;
      "
    `);
  });

  it("guards a header that only a condition includes", () => {
    const headers = { "metile/a.h": "#pragma once\nint a;\n" };
    const text = '#ifdef METILE_CPU\n#include "metile/a.h"\n#else\n#include "metile/a.h"\n#endif\n';
    const { file, loader } = read(text, headers);
    const inlined = inlineIncludes(file.source, loader);
    expect(inlined.match(/int a;/g)).toHaveLength(2);
    expect(inlined.match(/#ifndef METILE_INCLUDED_metile_a_h/g)).toHaveLength(2);
  });
});
