import type { TileTable } from "./tiles.js";

/**
 * How a GPU's threadgroup takes a row: `threads` threads hold `packets` packets each, of `pack` elements. The row is then in
 * registers at once, or, where it is wider than that, goes by in tiles.
 */
export interface Tile {
  readonly threads: number;
  readonly packets: number;
  readonly pack: number;
  /** The row is wider than a tile. */
  readonly wide: boolean;
  /** The row is as wide as the tile: no thread needs to look whether its packets are inside. */
  readonly exact: boolean;
  /** The next row is loaded while this one is worked on. */
  readonly prefetch: boolean;
  /** Weights stay in registers, rather than being read from cache for every row. */
  readonly keepWeight: boolean;
}

const fewestThreads = 32;
const mostThreads = 1024;

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(atLeast));
}

/** Threads and packets a thread for a row of so many packets: as many packets as the table says, if there is work for them. */
function spread(rowPackets: number, { holds, wide }: TileTable): readonly [number, number, boolean] {
  const rule = holds.find(({ upTo }) => rowPackets <= upTo);
  if (rule === undefined) return [wide.threads, wide.packets, true];
  const packets = Math.min(rule.packets, powerOfTwo(rowPackets / fewestThreads));
  const each = Math.max(1, packets);
  return [Math.min(mostThreads, Math.max(fewestThreads, powerOfTwo(rowPackets / each))), each, false];
}

/**
 * The tile for rows of `width` elements in packets of `pack`, which divides the width.
 *
 * @param read - bytes an element of each row that the kernel reads
 */
export function tileOf(width: number, pack: number, table: TileTable, read: readonly number[]): Tile {
  const [threads, packets, wide] = spread(Math.ceil(width / pack), table);
  let words = 0; // of the rows that are held, and as many again of those that are fetched ahead
  for (const bytes of read) words += 2 * packets * Math.ceil((pack * bytes) / 4);
  // What is wide is not held, so that there is nowhere to load it to.
  const prefetch = !wide && read.length <= table.prefetchRows && words <= table.prefetchWords(threads);
  const keepWeight = packets <= (prefetch ? table.keepWeightAhead : table.keepWeight);
  return { threads, packets, pack, wide, exact: threads * packets * pack === width, prefetch, keepWeight };
}
