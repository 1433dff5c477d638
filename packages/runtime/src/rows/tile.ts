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
}

/** Threads of a threadgroup as a rule: many enough to share a row, few enough that registers do. */
const usualThreads = 512;
const fewestThreads = 32;

/**
 * Threads and packets a thread for rows of so many packets, up to the given number. To be tuned on devices: it is here, in one
 * place, that they differ.
 *
 *   packets of a row     threads                  packets a thread
 *   1…512                the power of two, ≥ 32   1
 *   …1024                512                      2
 *   …2048                512                      4
 *   …4096                1024                     4
 *   more                 512                      2 in each of several tiles: rows are read twice, from cache
 *
 * With packs of 1, 2, 4 and 8 elements (16 for types of a byte), exact or not, prefetched or not, that makes 9 shapes times
 * at most 4 packs times 4 of which a model meets one or two for each of its widths: variants are compiled one by one.
 */
function threadsAndPackets(packets: number): readonly [threads: number, packets: number, wide: boolean] {
  if (packets <= usualThreads) return [Math.max(fewestThreads, 2 ** Math.ceil(Math.log2(packets))), 1, false];
  if (packets <= 2 * usualThreads) return [usualThreads, 2, false];
  if (packets <= 4 * usualThreads) return [usualThreads, 4, false];
  if (packets <= 8 * usualThreads) return [2 * usualThreads, 4, false];
  return [usualThreads, 2, true];
}

/** The tile for rows of `width` elements in packets of `pack`, which divides the width. */
export function tileOf(width: number, pack: number): Tile {
  const [threads, packets, wide] = threadsAndPackets(Math.ceil(width / pack));
  return { threads, packets, pack, wide, exact: threads * packets * pack === width };
}

/** Registers for held packets, this row's and the next one's, beyond which the next one's are not fetched ahead. */
const mostHeldWords = 32;

/**
 * Whether the next row is loaded while this one is worked on.
 *
 * @param bytes - bytes an element of each row that the kernel reads
 */
export function prefetches({ threads, packets, pack, wide }: Tile, bytes: readonly number[]): boolean {
  if (wide) return false; // nothing is held, so that there is nowhere to load it to
  let words = 0;
  for (const each of bytes) words += 2 * packets * Math.ceil((pack * each) / 4);
  return words <= (threads > usualThreads ? mostHeldWords / 2 : mostHeldWords);
}
