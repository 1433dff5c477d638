import { type Device, type FloatingDtype, type Tensor, tensor, zeros } from "@metile/runtime";
import { bytesOf, type Shape } from "../measure/case.js";
import type { Fill } from "./operation.js";

/** Numbers from a seed, uniform over [0, 1): the same ones on every machine (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Standard normal numbers from uniform ones (Box and Muller). */
export function normals(count: number, random: () => number): Float32Array {
  const values = new Float32Array(count);
  for (let index = 0; index < count; index += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    values[index] = radius * Math.cos(angle);
    if (index + 1 < count) values[index + 1] = radius * Math.sin(angle);
  }
  return values;
}

/** Past this many values a large input repeats them: drawing each one would take longer than measuring. */
const period = 1 << 20;

/** Fills inputs with standard normal numbers; parameters lie around 1. */
export function randomFill(seed: number): Fill {
  const block = normals(period, seededRandom(seed));
  let start = 0;
  return (_, extents) => {
    const size = extents.reduce((product, extent) => product * extent, 1);
    const values = new Float32Array(size);
    // Every input begins elsewhere in the block, so that no two are equal.
    for (let at = 0; at < size; ) {
      const piece = block.subarray(start, Math.min(period, start + size - at));
      values.set(piece, at);
      at += piece.length;
      start = (start + piece.length) % period;
    }
    start = (start + 4099) % period;
    if (extents.length === 1)
      for (let index = 0; index < size; index += 1) values[index] = 1 + 0.1 * (values[index] as number);
    return values;
  };
}

/** Rows that are drawn for a large input of a GPU: the device itself repeats them, which takes no time. */
function tiled(name: string, extents: readonly number[], dtype: FloatingDtype, fill: Fill, device: Device): Tensor {
  const size = extents.reduce((product, extent) => product * extent, 1);
  const [rows = 1, columns = 1] = extents;
  const drawn = Math.max(1, Math.floor(period / columns));
  if (size <= period || drawn >= rows) return tensor(fill(name, extents), extents, dtype, device);
  const block = tensor(fill(name, [drawn, columns]), [drawn, columns], dtype, device);
  const whole = zeros(extents, dtype, device);
  const bytes = size * bytesOf(dtype);
  let filled = Math.min(bytes, drawn * columns * bytesOf(dtype));
  device.native.copy(block.storage.slot, 0, whole.storage.slot, 0, filled);
  while (filled < bytes) {
    const next = Math.min(filled, bytes - filled);
    device.native.copy(whole.storage.slot, 0, whole.storage.slot, filled, next);
    filled += next;
  }
  block.dispose();
  return whole;
}

/** Makes the inputs of an operation over rows: (rows, columns) each, and (columns) for its parameters. */
export function makeInputs(
  names: { readonly rows: readonly string[]; readonly parameters: readonly string[] },
  { rows, columns, dtype }: Shape,
  fill: Fill,
  device: Device,
): Record<string, Tensor> {
  const made: Record<string, Tensor> = {};
  const make = (name: string, extents: readonly number[]): void => {
    made[name] = device.isGpu
      ? tiled(name, extents, dtype, fill, device)
      : tensor(fill(name, extents), extents, dtype, device);
  };
  for (const name of names.rows) make(name, [rows, columns]);
  for (const name of names.parameters) make(name, [columns]);
  return made;
}
