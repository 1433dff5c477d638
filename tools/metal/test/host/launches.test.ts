import { describe, expect, it } from "vitest";
import { hasStandin, onMetal } from "../support/standin.js";

interface Failed {
  readonly name: string;
  readonly message: string;
}

const text = `
#include <metal_stdlib>
using namespace metal;
kernel void twice(device const float* source [[buffer(0)]], device float* target [[buffer(1)]],
                  device const float* more [[buffer(3)]], constant uint& count [[buffer(2)]],
                  uint index [[thread_position_in_grid]]) {
  if (index >= count) return;
  target[index] = 2.0f * source[index];
}
kernel void scratched(device float* target [[buffer(0)]], threadgroup float* scratch [[threadgroup(0)]],
                      uint index [[thread_position_in_grid]]) {
  threadgroup float own[4096];
  own[index] = 1.0f;
  own[index + 2048] = 2.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  scratch[index] = own[uint(target[index])];
  target[index] = scratch[index];
}
kernel void refuse(device const uint* codes [[buffer(0)]], device uint* target [[buffer(1)]],
                   device atomic_uint* status [[buffer(2)]], uint index [[thread_position_in_grid]]) {
  if (codes[index] != 0u) atomic_store_explicit(&status[0], codes[index], memory_order_relaxed);
  target[index] = codes[index];
}
`;

/** Launches past the checks of JavaScript, as words: the addon has checks of its own. */
const byHand = `
const native = metal.native;
const library = native.loadSource(${JSON.stringify(text)}, "text.metal");
const variant = (entry, threads) => native.kernel(library, entry, { macros: [], threads, mathMode: "safe" });
const launch = (kernel, threads, buffers, constants = [], threadgroup = []) => {
  const words = [kernel, 1, 1, 1, threads, 1, 0, buffers.length | (constants.length << 8) | (threadgroup.length << 16)];
  for (const [index, flags, made] of buffers) words.push(index | (flags << 8), made?.storage.slot ?? 0, 0, 0);
  for (const [index, value] of constants) words.push(index | (4 << 8), value);
  for (const [index, bytes] of threadgroup) words.push(index | (bytes << 8));
  native.launch(Uint32Array.from(words), words.length);
};
const [written, isStatus] = [1, 2];
`;

describe.skipIf(!hasStandin)("launches that reach the addon as words", () => {
  it("with other threads than the pipeline was made for are refused, not dropped", async () => {
    const seen = await onMetal<{ none: Failed; many: Failed; dropped: number; fitting: number }>(`${byHand}
      const source = tensor([3]);
      const target = zeros([1]);
      const run = (threads) => launch(variant("twice", 64), threads, [[0, 0, source], [1, written, target], [3, 0, source]], [[2, 1]]);
      const none = await failure(() => run(0));
      const many = await failure(() => run(1025));
      run(64);
      print({ none, many, fitting: target.dataSync()[0], dropped: standin.report().droppedDispatches });`);
    expect(seen.none.message).toMatch(/0 threads .* 1 to \d+/);
    expect(seen.many.message).toMatch(/1025 threads .* 1 to \d+/);
    expect(seen).toMatchObject({ dropped: 0, fitting: 6 });
  });

  it("without a buffer that their kernel declares have something there all the same", async () => {
    const seen = await onMetal<number>(`${byHand}
      const target = zeros([1]);
      launch(variant("twice", 1), 1, [[0, 0, tensor([4])], [1, written, target], [3, 0]], [[2, 1]]);
      print(target.dataSync()[0]);`);
    expect(seen).toBe(8);
  });

  it("with more threadgroup memory than there is beside the kernel's own are refused", async () => {
    const seen = await onMetal<{ failed: Failed; fitting: number }>(`${byHand}
      const target = zeros([1]);
      const run = (bytes) => launch(variant("scratched", 1), 1, [[0, written, target]], [], [[0, bytes]]);
      const failed = await failure(() => run(16400));
      run(16384);
      print({ failed, fitting: target.dataSync()[0] });`);
    expect(seen.failed.message).toMatch(/32784 bytes .* 32768/);
    expect(seen.fitting).toBe(1);
  });

  it("have status words of their own, which start as zeros whoever had them before", async () => {
    const seen = await onMetal<{ wrong: number[]; failed: number }>(`${byHand}
      const kernel = variant("refuse", 1);
      const made = Array.from({ length: 600 }, (_, index) => {
        const target = tensor(Uint32Array.of(7), null, "uint32");
        launch(kernel, 1, [[0, 0, tensor(Uint32Array.of(index < 280 && index % 3 === 0 ? index + 1 : 0), null, "uint32")], [1, written, target], [2, isStatus]]);
        return target;
      });
      const wrong = [];
      let failed = 0;
      for (const [index, target] of made.entries()) {
        const fault = await failure(() => target.data());
        const expected = index < 280 && index % 3 === 0;
        if (fault) failed += 1;
        if (expected !== (fault !== undefined)) wrong.push(index);
      }
      print({ wrong, failed });`);
    expect(seen).toEqual({ wrong: [], failed: 94 });
  });
});
