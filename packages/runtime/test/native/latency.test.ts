import { expect, test } from "vitest";
import { device, encode } from "./harness.js";

const columns = 256;
const rows = 8;
const bytes = rows * columns * 4;

function scaling(from: number, to: number): Uint32Array {
  return encode({
    kernel: "scale",
    groups: rows,
    work: rows * columns,
    buffers: { 0: from, 1: { slot: to, written: true } },
    constants: { 2: columns, 3: Float32Array.of(2) },
  });
}

const source = device.allocate(bytes, true);
const middle = device.allocate(bytes, true);
const result = device.allocate(bytes, true);
const forward = scaling(source, middle);
const backward = scaling(middle, result);
const target = new Float32Array(rows * columns);

/** The median of a number of rounds, in microseconds. */
function median(rounds: number, body: () => void): number {
  const times = Float64Array.from({ length: rounds }, () => {
    const started = performance.now();
    body();
    return (performance.now() - started) * 1000;
  });
  return times.sort()[rounds >> 1] as number;
}

// The bounds are those of the design, several times what an idle machine takes.
test("small work costs microseconds", async () => {
  const both = () => {
    device.launch(forward, forward.length);
    device.launch(backward, backward.length);
  };
  const enqueue = median(200, both) / 2;
  device.synchronizeSync();
  const step = median(2000, () => {
    both();
    device.readSync(result, 0, bytes, 0, target);
  });
  const storages = median(2000, () => device.release(device.allocate(bytes, false)));
  const awaited: number[] = [];
  for (let round = 0; round < 1000; round += 1) {
    const started = performance.now();
    both();
    await device.read(result, 0, bytes, 0);
    awaited.push((performance.now() - started) * 1000);
  }
  const promised = awaited.sort((left, right) => left - right)[500] as number;
  const shown = Object.entries({
    enqueue,
    "two launches and readSync": step,
    "two launches and await read": promised,
    "allocate and release": storages,
  });
  console.log(shown.map(([name, microseconds]) => `${name}: ${microseconds.toFixed(1)} µs`).join(", "));
  expect(enqueue).toBeLessThan(10);
  expect(step).toBeLessThan(40);
  expect(promised).toBeLessThan(80);
  expect(storages).toBeLessThan(10);
});
