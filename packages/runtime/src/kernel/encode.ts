import { ArgumentError, describePlain } from "../errors/index.js";
import type { ConstantReflection } from "./types.js";

// A launch crosses into the addon as 32-bit words: kernel, groups, threads, work, operation, counts, then four words a
// buffer, a header and the bytes for each constant, and a word for each threadgroup argument. See native/stream.

/** The words of the launch being written; grown for the largest one. */
export const words = new Uint32Array(1024);
const floats = new Float32Array(words.buffer);

export const HEADER_WORDS = 8;
const two32 = 2 ** 32;

/** Writes one buffer and gives the next position. A slot of 0 is no buffer. */
export function encodeBuffer(at: number, index: number, flags: number, slot: number, byteOffset: number): number {
  words[at] = index | (flags << 8);
  words[at + 1] = slot;
  words[at + 2] = byteOffset % two32;
  words[at + 3] = Math.floor(byteOffset / two32);
  return at + 4;
}

function wrong(kernel: string, constant: ConstantReflection, received: unknown, expected: string): ArgumentError {
  return new ArgumentError({ operation: kernel, argument: constant.name, expected, received: describePlain(received) });
}

function encodeWhole(
  kernel: string,
  at: number,
  constant: ConstantReflection,
  value: number,
  lowest: number,
  end: number,
): void {
  if (!Number.isInteger(value) || value < lowest || value >= end)
    throw wrong(kernel, constant, value, `a whole number from ${lowest} below ${end} (${constant.type})`);
  words[at] = value >>> 0;
}

function encodeScalar(kernel: string, at: number, type: string, constant: ConstantReflection, value: unknown): number {
  const number = typeof value === "boolean" ? Number(value) : (value as number);
  if (typeof number !== "number") throw wrong(kernel, constant, value, "a number");
  switch (type) {
    case "float":
      floats[at] = number;
      return at + 1;
    case "uint":
      encodeWhole(kernel, at, constant, number, 0, two32);
      return at + 1;
    case "int":
      encodeWhole(kernel, at, constant, number, -(two32 / 2), two32 / 2);
      return at + 1;
    case "ulong":
    case "long":
      if (!Number.isSafeInteger(number) || (type === "ulong" && number < 0))
        throw wrong(kernel, constant, value, `a safe integer (${type})`);
      words[at] = number % two32;
      words[at + 1] = Math.floor(number / two32);
      return at + 2;
    default:
      throw wrong(kernel, constant, value, `a constant of a known type, not ${type}`);
  }
}

/** The parts of a constant's type: uint4 is four uints. */
export function typeParts(type: string): { scalar: string; width: number } {
  const width = Number(/[24]$/.exec(type)?.[0] ?? 1);
  return { scalar: width === 1 ? type : type.slice(0, -1), width };
}

/** Writes one constant (a scalar, or a vector of 2 or 4) and gives the next position. */
export function encodeConstant(
  kernel: string,
  at: number,
  constant: ConstantReflection,
  { scalar, width }: { scalar: string; width: number },
  value: unknown,
): number {
  let next = at + 1;
  if (width === 1) {
    if (scalar === "bool") words[next++] = value ? 1 : 0;
    else next = encodeScalar(kernel, next, scalar, constant, value);
  } else {
    const items = value as ArrayLike<unknown> | undefined;
    if (items?.length !== width) throw wrong(kernel, constant, value, `${width} numbers`);
    for (let item = 0; item < width; item += 1) next = encodeScalar(kernel, next, scalar, constant, items[item]);
  }
  words[at] = constant.index | ((next - at - 1) * 4 * 256);
  return next;
}

/** Threadgroup memory is measured in units of this many bytes. */
const threadgroupUnit = 16;
/** More than any GPU has. */
const mostThreadgroupBytes = 2 ** 20;

/** Writes the size of one threadgroup argument and gives the next position. */
export function encodeThreadgroup(kernel: string, at: number, index: number, name: string, bytes: unknown): number {
  if (typeof bytes !== "number" || !Number.isInteger(bytes) || bytes < 1 || bytes > mostThreadgroupBytes)
    throw new ArgumentError({
      operation: kernel,
      argument: `threadgroup.${name}`,
      expected: "its size in bytes, a whole number above 0: a GPU's threadgroup has memory of its own",
      received: describePlain(bytes),
    });
  words[at] = index | ((Math.ceil(bytes / threadgroupUnit) * threadgroupUnit) << 8);
  return at + 1;
}

/** The counts of a launch in one word. */
export function encodeCounts(buffers: number, constants: number, threadgroup: number): number {
  return buffers | (constants << 8) | (threadgroup << 16);
}
