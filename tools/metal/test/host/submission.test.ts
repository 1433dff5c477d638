import { describe, expect, it } from "vitest";
import { hasStandin, onMetal } from "../support/standin.js";

const start = `
const source = tensor(Float32Array.from({ length: 4096 }, (_, index) => index % 100));
source.cast("float16").cast("float32").dispose();
`;

describe.skipIf(!hasStandin)("command buffers on their way to the GPU", () => {
  it("never are more than a few open, also when each launch fills one, as those do whose work is not known", async () => {
    const text = `
#include <metal_stdlib>
using namespace metal;
kernel void raise(device float* target [[buffer(0)]], uint index [[thread_position_in_grid]]) { target[index] += 1.0f; }
`;
    const seen = await onMetal<{ most: number; buffers: number; value: number }>(
      `
      const { raise } = compileKernels(${JSON.stringify(text)});
      const target = zeros([4]);
      const before = standin.report().commandBuffers;
      let most = 0;
      for (let index = 0; index < 200; index += 1) {
        raise({ target }, {}, { groups: 1, threads: 4 });
        most = Math.max(most, standin.report().openCommandBuffers);
      }
      const done = target.data();
      for (let round = 0; round < 20; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        most = Math.max(most, standin.report().openCommandBuffers);
      }
      const [value] = await done;
      print({ most, buffers: standin.report().commandBuffers - before, value });`,
      { delayMicroseconds: 2000 },
    );
    expect(seen.value).toBe(200);
    expect(seen.buffers).toBeGreaterThan(199);
    expect(seen.most).toBeGreaterThan(4);
    expect(seen.most).toBeLessThan(16);
  });

  it("are sent to a GPU that has nothing to do, to their last, though nobody waits", async () => {
    const seen = await onMetal<{ sent: number; open: number; dispatches: number }>(
      `${start}
      await metal.synchronize();
      const before = standin.report();
      for (let index = 0; index < 30; index += 1) source.cast("float16");
      for (let round = 0; round < 100 && standin.report().dispatches - before.dispatches < 30; round += 1)
        await new Promise((resolve) => setTimeout(resolve, 10));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const { commandBuffers, openCommandBuffers: open, dispatches } = standin.report();
      print({ sent: commandBuffers - before.commandBuffers, open, dispatches: dispatches - before.dispatches });`,
      { delayMicroseconds: 5000 },
    );
    expect(seen.sent).toBeGreaterThan(0);
    expect(seen).toMatchObject({ open: 0, dispatches: 30 });
  });

  it("have ended when synchronize comes back, with all that was read from them", async () => {
    const seen = await onMetal<{ open: number; enough: boolean; order: number[] }>(
      `${start}
      await metal.synchronize();
      const order = [];
      const begun = performance.now();
      const reads = [1, 2, 3].map((value) => tensor([value]).cast("float16").data().then(([read]) => order.push(read)));
      source.cast("float16");
      await metal.synchronize();
      const elapsed = performance.now() - begun;
      const open = standin.report().openCommandBuffers;
      await Promise.all(reads);
      print({ open, enough: elapsed > 45, order });`,
      { delayMicroseconds: 50_000 },
    );
    expect(seen).toEqual({ open: 0, enough: true, order: [1, 2, 3] });
  });
});
