import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emulate, type TypedArray } from "@metile/emulator";
import type { FloatingDtype } from "@metile/runtime";
import { bitsOf, Random, rounded } from "@metile/runtime/testing";
import { expect } from "vitest";

/** How a launcher may set the macros of a row kernel. */
export interface RowLaunch {
  readonly threads: number;
  readonly width: number;
  readonly pack: number;
  readonly packets: number;
  /** Whether a row is wider than a tile. */
  readonly wide: boolean;
  readonly keep: boolean;
  readonly prefetch: boolean;
}

/** Launches of one simdgroup, of several, and of more than 8, with full and partial tiles. */
const usual: readonly RowLaunch[] = [
  { threads: 32, width: 45, pack: 1, packets: 1, wide: true, keep: false, prefetch: false },
  { threads: 64, width: 136, pack: 4, packets: 1, wide: false, keep: true, prefetch: true },
  { threads: 64, width: 136, pack: 8, packets: 2, wide: true, keep: true, prefetch: false },
  { threads: 96, width: 410, pack: 2, packets: 3, wide: false, keep: false, prefetch: true },
  { threads: 320, width: 648, pack: 1, packets: 2, wide: true, keep: true, prefetch: false },
];

/** Of the largest threadgroup, of rows narrower than a simdgroup, and of tiles that equal a row. */
const more: readonly RowLaunch[] = [
  { threads: 1024, width: 1100, pack: 1, packets: 1, wide: true, keep: false, prefetch: true },
  { threads: 1024, width: 2048, pack: 2, packets: 1, wide: false, keep: true, prefetch: true },
  { threads: 256, width: 24, pack: 8, packets: 1, wide: false, keep: false, prefetch: false },
  { threads: 32, width: 1, pack: 1, packets: 1, wide: false, keep: true, prefetch: true },
  { threads: 160, width: 1920, pack: 4, packets: 3, wide: false, keep: false, prefetch: false },
];

/** All of them for `pnpm emulate`. */
export const launches = process.env.METILE_EMULATE === "all" ? [...usual, ...more] : usual;

const TYPES = { float32: "float", float16: "half", bfloat16: "bfloat" } as const;
const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const FILES = {
  rms_norm: source("../src/rms-norm/rms_norm.metal"),
  layer_norm: source("../src/layer-norm/layer_norm.metal"),
  add_rms_norm: source("../src/add-rms-norm/add_rms_norm.metal"),
  column_sums: join(source("../../runtime"), "src/reduce/column_sums.metal"),
};

/** Numbers as a buffer of a type. */
export function encode(values: ArrayLike<number>, dtype: FloatingDtype): TypedArray {
  if (dtype === "float32") return Float32Array.from(values);
  return Uint16Array.from(values, (value) => bitsOf(value, dtype));
}

/** A buffer for as many numbers of a type. */
export function output(size: number, dtype: FloatingDtype): TypedArray {
  return dtype === "float32" ? new Float32Array(size) : new Uint16Array(size);
}

/** The numbers in a buffer of a type. */
export function decode(buffer: TypedArray | undefined, dtype: FloatingDtype): Float64Array {
  if (dtype === "float32") return Float64Array.from(buffer as Float32Array);
  return Float64Array.from(buffer as Uint16Array, (bits) => {
    if (dtype === "bfloat16") return new Float32Array(Uint32Array.of(bits << 16).buffer)[0] as number;
    const exponent = (bits >> 10) & 31;
    const magnitude = exponent === 0 ? (bits & 1023) * 2 ** -24 : (1024 + (bits & 1023)) * 2 ** (exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
  });
}

/** Random numbers that a type holds. */
export function numbers(seed: number, size: number, dtype: FloatingDtype): Float64Array {
  return rounded(new Random(seed).normal(size, 1, 0.25), dtype);
}

/** Runs a kernel of a family of files; fails on any report. */
export async function run(
  file: keyof typeof FILES,
  kernel: string,
  launch: RowLaunch,
  dtype: FloatingDtype,
  buffers: Record<string, TypedArray>,
  constants: Record<string, number>,
  groups: number,
): Promise<Readonly<Record<string, TypedArray>>> {
  const type = TYPES[dtype];
  const { threads, pack, packets, wide, keep, prefetch } = launch;
  const result = await emulate({
    file: FILES[file],
    kernel,
    groups,
    threads,
    buffers,
    constants,
    threadgroup: { scratch: 512 },
    macros: {
      STORAGE: type,
      PARAMETER: "float",
      COTANGENT: type,
      GRADIENT: type,
      ROW_PACK: pack,
      ROW_PACKETS: packets,
      ROW_WIDE: Number(wide),
      ROW_KEEP: Number(keep),
      ROW_KEEP_WEIGHT: Number(keep),
      ROW_PREFETCH: Number(prefetch),
    },
  });
  expect(result.reports).toEqual([]);
  return result.buffers;
}

/** What the threadgroups of a backward pass left, added up by the kernel that does so. */
export async function addUp(
  parts: TypedArray | undefined,
  launch: RowLaunch,
  layout: { groups: number; stride: number; offset: number },
): Promise<Float64Array> {
  const { groups, stride, offset } = layout;
  const { width } = launch;
  const buffers = { parts: parts as TypedArray, total: output(width, "float32") };
  const constants = { part_count: groups, width, stride, offset };
  const blocks = Math.ceil(width / 32);
  const { total } = await run("column_sums", "column_sums", launch, "float32", buffers, constants, blocks);
  return decode(total, "float32");
}
