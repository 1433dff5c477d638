// Shared by the programs: the addon given on the command line, and endless work for it.
import { createRequire } from "node:module";

const [addonPath, kernelsPath] = process.argv.slice(2);
export const binding = createRequire(import.meta.url)(addonPath);
export const device = binding.openCpu();
const library = device.loadLibrary(kernelsPath);
const burnKernel = device.kernel(library, "burn");
const scaleKernel = device.kernel(library, "scale");

/** Keeps one thread busy for about `steps` nanoseconds times a small factor. */
export function burn(slot, steps) {
  device.launch(
    Uint32Array.of(burnKernel, 1, 1, 1, 1, 0xffffffff, 1, 1 | (1 << 8), 256, slot, 0, 0, 1 | (4 << 8), steps),
    14,
  );
}

/** target = source * 0.5 over rows of 1024 floats, on all threads. */
export function halve(source, target, rows) {
  const words = new Uint32Array(20);
  words.set([
    scaleKernel,
    rows,
    1,
    1,
    1,
    rows * 1024,
    2,
    2 | (2 << 8),
    0,
    source,
    0,
    0,
    1 | 256,
    target,
    0,
    0,
    2 | (4 << 8),
    1024,
    3 | (4 << 8),
  ]);
  new Float32Array(words.buffer)[19] = 0.5;
  device.launch(words, 20);
}

/** Allocates, launches, reads and releases without end; resolves after `rounds` if there is an end. */
export async function train(rounds = Number.POSITIVE_INFINITY) {
  const rows = 256;
  const bytes = rows * 4096;
  for (let round = 0; round < rounds; round += 1) {
    const source = device.allocate(bytes, true);
    const results = Array.from({ length: 4 }, () => device.allocate(bytes, false));
    device.write(source, 0, new Float32Array(rows * 1024).fill(round));
    for (const result of results) halve(source, result, rows);
    const reads = results.map((result) => device.read(result, 0, bytes, round % 2 === 0 ? 0 : 2));
    for (const slot of [source, ...results]) device.release(slot);
    if (round % 3 === 0) void Promise.all(reads);
    else await reads[0];
    if (round % 5 === 0) device.readSync(device.allocate(64, true), 0, 64, 0, new Uint8Array(64));
    if (round % 7 === 0) await device.synchronize();
  }
}
