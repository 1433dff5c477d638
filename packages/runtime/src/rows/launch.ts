import type { Device } from "../device/device.js";
import { dtypeInfo } from "../dtype/dtype.js";
import { ArgumentError } from "../errors/index.js";
import type { BufferArgument, LaunchShape } from "../kernel/types.js";
import { packOf } from "./pack.js";
import { type Tile, tileOf } from "./tile.js";
import { type TileTable, tilesOf } from "./tiles.js";

/** A launch of a kernel that takes rows in turn: threadgroups, the work that tells whether threads pay, a GPU's tile. */
export interface RowLaunch extends LaunchShape {
  readonly groups: number;
  readonly work: number;
}

/**
 * What a row kernel moves in packets: a `Row`, `Weight`, `RowOut` or `ColumnSums` of its text. Rows as `asRows` gives them
 * have a stride; a tensor is contiguous rows or a parameter. What is absent is undefined or null.
 */
export type RowOperand = (BufferArgument & { readonly stride?: number }) | null | undefined;

/** The part of a launch that a GPU's tile decides. */
type TileLaunch = Pick<LaunchShape, "threads" | "macros" | "threadgroup">;

/** `scratch` of ROW_ARGS: 128 floats. */
const threadgroup = Object.freeze({ scratch: 512 });
const known = new Map<number, TileLaunch>();

/** A tile as a launch. The same tile gives the same object, so that its variants are found without looking into it. */
function launchOf({ threads, packets, pack, wide, exact, prefetch, keepWeight }: Tile): TileLaunch {
  const flags = (wide ? 1 : 0) | (exact ? 2 : 0) | (prefetch ? 4 : 0) | (keepWeight ? 8 : 0);
  const key = ((threads * 16 + packets) * 32 + pack) * 16 + flags;
  let launch = known.get(key);
  if (launch === undefined) {
    const macros = Object.freeze({
      ROW_PACKETS: packets,
      ROW_PACK: pack,
      ROW_WIDE: Number(wide),
      ROW_EXACT: Number(exact),
      ROW_KEEP: 1,
      ROW_KEEP_WEIGHT: Number(keepWeight),
      ROW_PREFETCH: Number(prefetch),
    });
    launch = Object.freeze({ threads, macros, threadgroup });
    known.set(key, launch);
  }
  return launch;
}

function deviceOf(operands: readonly RowOperand[]): Device {
  for (const operand of operands) if (operand) return operand.storage.device;
  throw new ArgumentError({ operation: "rowLaunch", argument: "operands", expected: "a tensor", received: "none" });
}

/** The tile for rows that all operands can be read and written in. */
function tileLaunch(table: TileTable, columns: number, operands: readonly RowOperand[]): TileLaunch {
  // What has a stride is read row by row and held; outputs pass, and a weight is read once.
  const read: number[] = [];
  for (const operand of operands)
    if (operand && operand.stride !== undefined) read.push(dtypeInfo(operand.dtype).bytes);
  return launchOf(tileOf(columns, packOf(columns, operands), table, read));
}

/**
 * How a kernel that writes rows is spread.
 *
 * On a CPU a threadgroup takes every 32,768 elements, at most 256, at most one a row. On a GPU there is one for each row, up to
 * a number of the device's (tiles.ts), with threads and packets that fit the width and what is bound: packets are as wide (up to 16 bytes of the
 * narrowest type) as all strides and addresses of `operands` allow, so that a column slice at an odd offset is right too,
 * and slower.
 *
 * @param rows - above 0
 * @param columns - above 0
 * @param operands - everything that the kernel moves in packets, outputs and weights too; not values of one a row
 * (`RowValues`). What is allocated after the call is aligned for any packet
 * @returns a launch for the generated binding; more can be added: `{ ...rowLaunch(…), overwrites: true }`
 * @example
 * kernels.rmsNormForward({ source: rows, weight, output, rstd }, constants, rowLaunch(rows.rows, columns, [rows, weight, output]));
 */
export function rowLaunch(rows: number, columns: number, operands: readonly RowOperand[]): RowLaunch {
  const work = rows * columns;
  const device = deviceOf(operands);
  if (!device.isGpu) return { groups: Math.max(1, Math.min(rows, 256, Math.ceil(work / 32_768))), work };
  const table = tilesOf(device.name).rows;
  return { groups: Math.max(1, Math.min(rows, table.groups)), work, ...tileLaunch(table, columns, operands) };
}

/**
 * How a kernel that leaves partial sums is spread: a threadgroup, and so a partial sum, for every 16 rows, at most 64; on a
 * GPU, which has more of them to fill, for every 4 rows, at most 256 (Metal) or 264 (CUDA). It depends on the shape alone, never on the number of
 * threads or on alignment, so that sums are the same bits on any machine; and a part costs little beside the rows that it
 * sums.
 *
 * @param operands - as for {@link rowLaunch}. The partial sums themselves are allocated afterwards, `groups` of them
 */
export function partialLaunch(rows: number, columns: number, operands: readonly RowOperand[]): RowLaunch {
  const work = rows * columns;
  const device = deviceOf(operands);
  if (!device.isGpu) return { groups: Math.max(1, Math.min(64, Math.ceil(rows / 16))), work };
  const table = tilesOf(device.name).parts;
  const groups = Math.max(1, Math.min(table.groups, Math.ceil(rows / 4)));
  return { groups, work, ...tileLaunch(table, columns, operands) };
}

const elementThreads = 256;

/**
 * How a kernel without rows is spread, whose threadgroups take turns with elements: on a CPU a threadgroup for every 32,768
 * elements, at most 256; on a GPU one of 256 threads for every 1024, at most 4096.
 */
export function elementLaunch(device: Device, elements: number): RowLaunch {
  if (!device.isGpu) return { groups: Math.max(1, Math.min(256, Math.ceil(elements / 32_768))), work: elements };
  const groups = Math.max(1, Math.min(4096, Math.ceil(elements / (4 * elementThreads))));
  return { groups, threads: elementThreads, work: elements };
}

/** Columns that one threadgroup of column_sums adds up on a CPU; on a GPU a simdgroup has 32 lanes. */
const columnsOnCpu = 512;
const columnsOnGpu = 32;
/** A simdgroup for every few parts: waiting for memory is all that they do. */
const manyParts = 64;
const sumsTile: Tile = {
  threads: 256,
  packets: 1,
  pack: 1,
  wide: true,
  exact: false,
  prefetch: false,
  keepWeight: true,
};

/** How column_sums is spread. On a GPU a thread has a column; the simdgroups, 8 or 32, take turns with the parts. */
export function columnLaunch(device: Device, parts: number, columns: number): RowLaunch {
  const work = parts * columns;
  if (!device.isGpu) return { groups: Math.ceil(columns / columnsOnCpu), work };
  return {
    groups: Math.ceil(columns / columnsOnGpu),
    work,
    ...launchOf({ ...sumsTile, threads: parts > manyParts ? 1024 : 256 }),
  };
}
