import { describe, expect, it } from "vitest";
import { hasStandin, onMetal } from "../support/standin.js";

interface Failed {
  readonly name: string;
  readonly message: string;
}

const twice = `
#include <metal_stdlib>
using namespace metal;
kernel void twice(device const float* source [[buffer(0)]], device float* target [[buffer(1)]],
                  constant uint& count [[buffer(2)]], uint index [[thread_position_in_grid]]) {
  if (index >= count) return;
  target[index] = 2.0f * source[index];
}
`;

describe.skipIf(!hasStandin)("kernels of a text", () => {
  it("run, with any number of threads", async () => {
    const seen = await onMetal<number[][]>(`
      const { twice } = compileKernels(${JSON.stringify(twice)});
      const source = tensor([1, 2, 3, 4, 5]);
      const results = [];
      for (const threads of [1, 2, 32, 33, 256, 1024]) {
        const target = zeros([5]);
        twice({ source, target }, { count: 5 }, { groups: Math.ceil(5 / threads), threads });
        results.push(Array.from(target.dataSync()));
      }
      print(results);`);
    expect(seen).toEqual(new Array(6).fill([2, 4, 6, 8, 10]));
  });

  it("that do not compile say why, with the line in the file", async () => {
    const seen = await onMetal<Failed>(`
      const { twice } = compileKernels(${JSON.stringify(twice.replace("2.0f *", "two *"))}, "twice.metal");
      const source = tensor([1]);
      print(await failure(() => twice({ source, target: zeros([1]) }, { count: 1 }, { groups: 1, threads: 32 })));`);
    expect(seen.name).toBe("KernelError");
    expect(seen.message).toMatch(/twice\.metal:7:\d+: error: .*two/);
  });

  it("are compiled once for each variant", async () => {
    const seen = await onMetal<number[]>(`
      const { twice } = compileKernels(${JSON.stringify(twice)});
      const source = tensor([1]);
      const target = zeros([1]);
      const libraries = [standin.report().libraries];
      for (const threads of [32, 32, 64, 32]) {
        twice({ source, target }, { count: 1 }, { groups: 1, threads });
        libraries.push(standin.report().libraries);
      }
      print(libraries.map((count) => count - libraries[0]));`);
    expect(seen).toEqual([0, 1, 1, 2, 2]);
  });

  it("use safe mathematics with precise functions, also where the system knows one switch alone", async () => {
    for (const system of ["14.0", "15.1", "26.0"]) {
      const seen = await onMetal<{ libraries: number; functions: number; math: number }>(
        `
        tensor([1]).cast("float16").dataSync();
        const { libraries, fastFunctionLibraries: functions, fastMathLibraries: math } = standin.report();
        print({ libraries, functions, math });`,
        { system },
      );
      expect(seen.libraries).toBeGreaterThan(0);
      expect([seen.functions, seen.math]).toEqual([0, 0]);
    }
  });

  it("with more threads than a pipeline takes are refused, not dropped", async () => {
    const seen = await onMetal<{ many: Failed; fitting: number }>(
      `
      const { twice } = compileKernels(${JSON.stringify(twice)});
      const source = tensor([3]);
      const target = zeros([1]);
      const many = await failure(() => twice({ source, target }, { count: 1 }, { groups: 1, threads: 1025 }));
      twice({ source, target }, { count: 1 }, { groups: 1, threads: 1024 });
      print({ many, fitting: target.dataSync()[0] });`,
      { pipelineThreads: 832 },
    );
    expect(seen.many.message).toContain("1024");
    expect(seen.fitting).toBe(6); // the descriptor asks the compiler to fit it
  });

  it("with more threadgroup memory than there is are refused", async () => {
    const text = `
#include <metal_stdlib>
using namespace metal;
kernel void fill(device float* target [[buffer(0)]], threadgroup float* scratch [[threadgroup(0)]],
                 uint index [[thread_position_in_grid]]) {
  scratch[0] = 1.0f;
  target[index] = scratch[0];
}
`;
    const seen = await onMetal<Failed>(`
      const { fill } = compileKernels(${JSON.stringify(text)});
      print(await failure(() => fill({ target: zeros([1]) }, {}, { groups: 1, threads: 1, threadgroup: { scratch: 65536 } })));`);
    expect(seen.message).toMatch(/65536.*32768/);
  });

  it("may be given a status word, which rejects what depends on it", async () => {
    const text = `
#include <metal_stdlib>
using namespace metal;
kernel void pick(device const int* labels [[buffer(0)]], device float* target [[buffer(1)]],
                 constant uint& classes [[buffer(2)]], device atomic_uint* status [[buffer(3)]],
                 uint index [[thread_position_in_grid]]) {
  const int label = labels[index];
  if (label < 0 || uint(label) >= classes) {
    atomic_store_explicit(&status[1], index, memory_order_relaxed);
    atomic_store_explicit(&status[2], uint(label), memory_order_relaxed);
    atomic_store_explicit(&status[3], classes, memory_order_relaxed);
    atomic_store_explicit(&status[0], 1u, memory_order_relaxed);
    return;
  }
  target[index] = float(label);
}
`;
    const seen = await onMetal<{ good: number[]; failed: Failed; after: number[] }>(`
      const { pick } = compileKernels(${JSON.stringify(text)});
      const run = (labels) => {
        const target = zeros([labels.length]);
        pick({ labels: tensor(labels, null, "int32"), target }, { classes: 10 }, { groups: labels.length, threads: 1 });
        return target;
      };
      const good = Array.from(await run([1, 2, 3]).data());
      const bad = run([1, 42, 3]);
      const failed = await failure(() => bad.cast("float16").data());
      print({ good, failed, after: Array.from(await run([9]).data()) });`);
    expect(seen.good).toEqual([1, 2, 3]);
    expect(seen.failed.name).toBe("FaultError");
    expect(seen.failed.message).toMatch(/row 1.*42/);
    expect(seen.after).toEqual([9]);
  });
});
