import type { Device } from "../device/device.js";
import { device as defaultDevice } from "../device/select.js";
import { intercept } from "./intercept.js";

/** Numbers on either side of each storage. */
const GUARD_NUMBERS = 64;
const GUARD_BYTES = GUARD_NUMBERS * 4;

/** What guards, and storage that nothing was written to yet, hold as float32. Its bytes are no NaN in any float type. */
export const GUARD_VALUE = 12345;

/** A storage was written to outside its bytes. */
export class GuardError extends Error {
  override readonly name = "GuardError";
}

/** Where launches keep their buffers: see kernel/encode.ts. */
const HEADER_WORDS = 8;
const BUFFER_WORDS = 4;

/** Adds the guard in front to the offsets of a launch's buffers, and takes it away again. */
function shiftBuffers(words: Uint32Array, guarded: ReadonlyMap<number, number>, direction: 1 | -1): void {
  const buffers = (words[7] as number) & 0xff;
  for (let buffer = 0; buffer < buffers; buffer += 1) {
    const at = HEADER_WORDS + buffer * BUFFER_WORDS;
    if (!guarded.has(words[at + 1] as number)) continue;
    const offset = (words[at + 3] as number) * 2 ** 32 + (words[at + 2] as number) + direction * GUARD_BYTES;
    words[at + 2] = offset % 2 ** 32;
    words[at + 3] = Math.floor(offset / 2 ** 32);
  }
}

/**
 * Runs a function with guards around every storage that is allocated in it: outputs, gradients, saved values, partial sums.
 * Each lies inside a larger one filled with 12345 as float32, 64 numbers on either side, and holds that number itself
 * until something is written, so that an element which a kernel leaves out shows. Guards are checked when a storage is
 * released and at the end; the results must be read inside, synchronously.
 *
 * @param run - allocates, runs and reads; tensors made in it must not be read afterwards
 * @returns what `run` returns
 * @throws GuardError when anything was written outside a storage's bytes
 * @example
 * const values = withGuards(() => rmsNorm(source, weight).dataSync());
 */
export function withGuards<Result>(run: () => Result, device: Device = defaultDevice()): Result {
  const { native } = device;
  const guarded = new Map<number, number>();
  const pattern = new Float32Array(GUARD_NUMBERS).fill(GUARD_VALUE);
  const seen = new Uint8Array(GUARD_BYTES);
  const wanted = Buffer.from(pattern.buffer);
  const readSync = native.readSync.bind(native);
  const shift = (slot: number): number => (guarded.has(slot) ? GUARD_BYTES : 0);

  const check = (slot: number): void => {
    const bytes = guarded.get(slot) as number;
    for (const [side, offset] of [
      ["before", 0],
      ["after", GUARD_BYTES + bytes],
    ] as const) {
      readSync(slot, offset, GUARD_BYTES, 0, seen);
      if (wanted.equals(seen)) continue;
      const at = seen.findIndex((byte, index) => byte !== wanted[index]);
      throw new GuardError(`a storage of ${bytes} bytes was written to ${side} its bytes, at byte ${at} of the guard`);
    }
  };

  const restore = intercept(native, {
    allocate: (real) => (bytes, zeroed) => {
      const slot = real(bytes + 2 * GUARD_BYTES, zeroed);
      const write = native.write.bind(native);
      const whole = zeroed ? undefined : new Float32Array(Math.ceil(bytes / 4) + 2 * GUARD_NUMBERS).fill(GUARD_VALUE);
      if (whole !== undefined) write(slot, 0, new Uint8Array(whole.buffer, 0, bytes + 2 * GUARD_BYTES));
      write(slot, 0, pattern);
      write(slot, GUARD_BYTES + bytes, pattern);
      guarded.set(slot, bytes);
      return slot;
    },
    release: (real) => (slot) => {
      if (guarded.has(slot)) check(slot);
      guarded.delete(slot);
      real(slot);
    },
    launch: (real) => (words, count) => {
      shiftBuffers(words, guarded, 1);
      try {
        real(words, count);
      } finally {
        shiftBuffers(words, guarded, -1);
      }
    },
    write: (real) => (slot, offset, source) => real(slot, offset + shift(slot), source),
    copy: (real) => (from, fromOffset, to, toOffset, bytes) =>
      real(from, fromOffset + shift(from), to, toOffset + shift(to), bytes),
    fill: (real) => (slot, offset, bytes, value) => real(slot, offset + shift(slot), bytes, value),
    read: (real) => (slot, offset, bytes, convert) => real(slot, offset + shift(slot), bytes, convert),
    readSync: (real) => (slot, offset, bytes, convert, target) =>
      real(slot, offset + shift(slot), bytes, convert, target),
  });
  try {
    const result = run();
    for (const slot of guarded.keys()) check(slot);
    return result;
  } finally {
    restore();
  }
}
