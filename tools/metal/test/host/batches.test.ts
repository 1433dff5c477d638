import { describe, expect, it } from "vitest";
import { hasStandin, onMetal } from "../support/standin.js";

const counting = `
const counted = async (run) => {
  await metal.synchronize();
  const { commandBuffers, barriers, dispatches } = standin.report();
  await run();
  await metal.synchronize();
  const after = standin.report();
  return { buffers: after.commandBuffers - commandBuffers, barriers: after.barriers - barriers, dispatches: after.dispatches - dispatches };
};
const source = tensor(Float32Array.from({ length: 4096 }, (_, index) => index % 100));
source.cast("float16").cast("float32").dispose();
`;

interface Counted {
  readonly buffers: number;
  readonly barriers: number;
  readonly dispatches: number;
}

describe.skipIf(!hasStandin)("command buffers", () => {
  it("several launches share one, and a barrier stands only between launches that need it", async () => {
    const seen = await onMetal<{ apart: Counted; chain: Counted }>(
      `${counting}
      const apart = await counted(() => { for (let index = 0; index < 30; index += 1) source.cast("float16"); });
      const chain = await counted(() => {
        let value = source;
        for (let index = 0; index < 30; index += 1) value = value.cast(index % 2 === 0 ? "float16" : "float32");
      });
      print({ apart, chain });`,
    );
    expect(seen.apart).toMatchObject({ barriers: 0, dispatches: 30 });
    expect(seen.apart.buffers).toBeLessThan(15);
    // Between command buffers Metal itself keeps order, so that the first launch of each needs none.
    expect(seen.chain.dispatches).toBe(30);
    expect(seen.chain.barriers).toBe(30 - seen.chain.buffers);
  });

  it.each([0, 1, 2, 3])(
    "chains, updates in place and reuse of memory come out right, whatever a GPU reorders (seed %i)",
    async (seed) => {
      const seen = await onMetal<number[]>(
        `
      const wrong = [];
      const length = 1000;
      for (let round = 0; round < 20; round += 1) {
        const all = scope(() => {
          const values = Array.from({ length: 8 }, (_, index) => tensor(new Float32Array(length).fill(round * 10 + index)));
          const casts = values.map((value) => value.cast("float16").cast("float32"));
          values.forEach((value) => value.dispose()); // their memory is the next ones'
          const next = casts.map((value) => value.cast("int32"));
          values[0] = tensor(new Float32Array(length).fill(-1));
          values[0].write(new Float32Array(length).fill(-2));
          return next.map((value) => value.dataSync()[length - 1]).concat(values[0].dataSync()[0]);
        });
        all.forEach((value, index) => { if (value !== (index === 8 ? -2 : round * 10 + index)) wrong.push([round, index, value]); });
      }
      print(wrong);`,
        { seed },
      );
      expect(seen).toEqual([]);
    },
  );

  it("never are more than a few open, however far the program runs ahead", async () => {
    const seen = await onMetal<{ most: number; sum: number }>(
      `
      const source = tensor(new Float32Array(2 ** 16).fill(2));
      let most = 0;
      let value = source;
      for (let index = 0; index < 600; index += 1) {
        const next = value.cast(index % 2 === 0 ? "float16" : "float32");
        if (value !== source) value.dispose();
        value = next;
        most = Math.max(most, standin.report().openCommandBuffers);
      }
      print({ most, sum: value.dataSync()[0] });`,
      { delayMicroseconds: 2000 },
    );
    expect(seen.sum).toBe(2);
    expect(seen.most).toBeGreaterThan(0);
    expect(seen.most).toBeLessThan(16);
  });

  it("the GPU's time is counted", async () => {
    const seen = await onMetal<{ seconds: number; commandBuffers: number }>(
      `
      const before = metal.gpuTime.seconds;
      await tensor([1, 2, 3]).cast("float16").data();
      const { seconds, commandBuffers } = metal.gpuTime;
      print({ seconds: seconds - before, commandBuffers });`,
      { delayMicroseconds: 5000 },
    );
    expect(seen.seconds).toBeGreaterThan(0.004);
    expect(seen.commandBuffers).toBeGreaterThan(0);
  });
});
