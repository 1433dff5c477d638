import { describe, expect, it } from "vitest";
import { hasStandin, onMetal } from "../support/standin.js";

const text = `
#include <metal_stdlib>
using namespace metal;
kernel void move(device const uint* source [[buffer(0)]], device uint* target [[buffer(1)]],
                 uint index [[thread_position_in_grid]]) {
  target[index] = source[index];
}
kernel void raise(device uint* target [[buffer(0)]], uint index [[thread_position_in_grid]]) {
  target[index] += 1u;
}
`;

/** Ways to write to a tensor and to read it, as commands; they land in one command buffer while the GPU is busy with another. */
const ways = `
const length = 64;
const native = metal.native;
const { move, raise } = compileKernels(${JSON.stringify(text)});
const whole = (byte) => (byte * 0x01010101) >>> 0;
const filled = (byte) => tensor(new Uint32Array(length).fill(whole(byte)), null, "uint32");
const sources = [filled(0), filled(1), filled(2)];
const launched = (source, target) => move({ source, target }, {}, { groups: 1, threads: length, work: length });
const copied = (source, target) => native.copy(source.storage.slot, 0, target.storage.slot, 0, 4 * length);
const writes = {
  fill: (target, byte) => native.fill(target.storage.slot, 0, 4 * length, byte),
  copy: (target, byte) => copied(sources[byte], target),
  launch: (target, byte) => launched(sources[byte], target),
};
const later = (run) => (source) => {
  const target = filled(9);
  run(source, target);
  return async () => new Set(target.dataSync());
};
const reads = {
  copy: later(copied),
  launch: later(launched),
  read: (source) => { const read = source.data(); return async () => new Set(await read); },
};
const warm = filled(0);
launched(warm, filled(0));
raise({ target: warm }, {}, { groups: 1, threads: length, work: length });
const busy = async () => {
  await metal.synchronize();
  void sources[0].cast("float32").data();
  await new Promise((resolve) => setTimeout(resolve, 2));
};
const wrong = [];
const expectAll = (what, set, byte) => { if (set.size !== 1 || !set.has(whole(byte))) wrong.push(what + ": " + [...set]); };
`;

describe.skipIf(!hasStandin)("commands that share a command buffer", () => {
  it("what is read is what was written before, whichever way", { timeout: 60_000 }, async () => {
    const seen = await onMetal<string[]>(
      `${ways}
      for (const [written, write] of Object.entries(writes)) for (const [how, read] of Object.entries(reads)) {
        const value = filled(9);
        await busy();
        write(value, 1);
        const result = read(value);
        expectAll(written + ", then " + how, await result(), 1);
      }
      print(wrong);`,
      { delayMicroseconds: 10_000 },
    );
    expect(seen).toEqual([]);
  });

  it("what is written comes after what read it before", { timeout: 60_000 }, async () => {
    const seen = await onMetal<string[]>(
      `${ways}
      for (const [how, read] of Object.entries(reads)) for (const [written, write] of Object.entries(writes)) {
        const value = filled(1);
        await busy();
        const result = read(value);
        write(value, 2);
        expectAll(how + ", then " + written, await result(), 1);
        expectAll("after " + written, new Set(value.dataSync()), 2);
      }
      print(wrong);`,
      { delayMicroseconds: 10_000 },
    );
    expect(seen).toEqual([]);
  });

  it("the last of two that write to one place wins, and steps in place follow each other", {
    timeout: 60_000,
  }, async () => {
    const seen = await onMetal<{ wrong: string[]; steps: number }>(
      `${ways}
      for (const [first, before] of Object.entries(writes)) for (const [second, after] of Object.entries(writes)) {
        const value = filled(9);
        await busy();
        before(value, 1);
        after(value, 2);
        expectAll(first + ", then " + second, new Set(value.dataSync()), 2);
      }
      const value = filled(0);
      await busy();
      for (let step = 0; step < 100; step += 1) {
        raise({ target: value }, {}, { groups: 1, threads: length, work: length });
        if (step === 49) writes.fill(value, 0);
      }
      print({ wrong, steps: value.dataSync()[length - 1] });`,
      { delayMicroseconds: 10_000 },
    );
    expect(seen).toEqual({ wrong: [], steps: 50 });
  });

  it("one barrier serves all that read what was written before it", async () => {
    const seen = await onMetal<{ barriers: number; sum: number }>(
      `${ways}
      const value = filled(9);
      const targets = Array.from({ length: 10 }, () => filled(0));
      await busy();
      const before = standin.report().barriers;
      writes.fill(value, 1);
      for (const target of targets) launched(value, target);
      let sum = 0;
      for (const target of targets) sum += target.dataSync()[0] / whole(1);
      print({ barriers: standin.report().barriers - before, sum });`,
      { delayMicroseconds: 10_000 },
    );
    expect(seen).toEqual({ barriers: 1, sum: 10 });
  });
});
