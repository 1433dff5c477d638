import { expect, test } from "vitest";
import { device, launch, readWords } from "./harness.js";

/** A generator of numbers below 2^32 that is the same on every machine. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function same(left: Uint32Array, right: Uint32Array): boolean {
  const bytes = (words: Uint32Array) => Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  return bytes(left).equals(bytes(right));
}

interface Modelled {
  slot: number;
  values: Uint32Array;
}

/** Random work on random storages, followed by a model in JavaScript. */
async function run(seed: number, steps: number): Promise<void> {
  const random = generator(seed);
  const before = device.memory();
  const live: Modelled[] = [];
  const reads: Promise<void>[] = [];
  const pick = () => live[random(live.length)] as Modelled;
  for (let index = 0; index < steps; index += 1) {
    const action = live.length < 3 ? 0 : random(12);
    if (action <= 1 && live.length < 60) {
      const count = random(8) === 0 ? 1 + random(400_000) : 1 + random(3000);
      live.push({ slot: device.allocate(count * 4, true), values: new Uint32Array(count) });
    } else if (action === 2) {
      const [gone] = live.splice(random(live.length), 1) as [Modelled];
      device.release(gone.slot);
    } else if (action <= 5) {
      const { slot, values } = pick();
      const [factor, added] = [random(1000), random(1000)];
      device.threads = 1 + random(4);
      launch({
        kernel: "step",
        groups: values.length,
        work: values.length,
        buffers: { 0: { slot, written: true } },
        constants: { 1: factor, 2: added },
      });
      for (let item = 0; item < values.length; item += 1)
        values[item] = Math.imul(values[item] as number, factor) + added;
    } else if (action === 6) {
      const { slot, values } = pick();
      const start = random(values.length);
      const source = Uint32Array.from({ length: random(values.length - start) + 1 }, () => random(2 ** 32));
      device.write(slot, start * 4, source);
      values.set(source, start);
      source.fill(0);
    } else if (action === 7) {
      const [from, to] = [pick(), pick()];
      const count = random(Math.min(from.values.length, to.values.length)) + 1;
      const [start, end] = [random(from.values.length - count + 1), random(to.values.length - count + 1)];
      device.copy(from.slot, start * 4, to.slot, end * 4, count * 4);
      to.values.set(from.values.slice(start, start + count), end);
    } else if (action === 8) {
      const { slot, values } = pick();
      const start = random(values.length);
      device.fill(slot, start * 4, (values.length - start) * 4, index % 256);
      values.fill((index % 256) * 0x01010101, start);
    } else if (action === 9) {
      const { slot, values } = pick();
      expect(same(readWords(slot, values.length), values)).toBe(true);
    } else {
      const { slot, values } = pick();
      const expected = values.slice();
      reads.push(
        device
          .read(slot, 0, values.byteLength, 0)
          .then((buffer) => expect(same(new Uint32Array(buffer), expected)).toBe(true)),
      );
      if (random(20) === 0) await reads[reads.length - 1];
    }
  }
  await Promise.all(reads);
  for (const { slot } of live) device.release(slot);
  const after = device.memory();
  expect(after.live).toBe(before.live);
  expect(after.storages).toBe(before.storages);
}

test.each([1, 2, 3, 4, 5])("random work agrees with a model, seed %i", async (seed) => {
  await run(seed, 4000);
});
