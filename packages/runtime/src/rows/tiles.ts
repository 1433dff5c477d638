import type { DeviceName } from "../device/device.js";

/**
 * How rows are spread over a kind of GPU. This is the one place where GPUs differ; a variant is compiled for each tile that
 * a program meets, so that the numbers are few.
 */
export interface TileTable {
  /** Packets that a thread holds, by packets of a row: the first that the row fits. Threads follow, a power of two. */
  readonly holds: readonly { readonly upTo: number; readonly packets: number }[];
  /** For rows beyond: they go by in several tiles, and are read again from cache. */
  readonly wide: { readonly threads: number; readonly packets: number };
  /** The next row is fetched ahead for kernels that read at most so many rows … */
  readonly prefetchRows: number;
  /** … of at most so many words, this one's included, for so many threads. */
  readonly prefetchWords: (threads: number) => number;
  /** Weights are held up to so many packets a thread, with nothing fetched ahead and with it. */
  readonly keepWeight: number;
  readonly keepWeightAhead: number;
  /** Threadgroups at most. */
  readonly groups: number;
}

/** Kernels that write rows, and those that sum over them as well (parameter gradients). */
export interface DeviceTiles {
  readonly rows: TileTable;
  readonly parts: TileTable;
}

/**
 * Apple's GPUs. Not measured: 32 lanes, some 208 registers of 32 bits a thread at 512 threads, 32 KiB of threadgroup memory,
 * and up to 1024 threads, of which a pipeline may take fewer.
 */
const metal: DeviceTiles = (() => {
  const shared = {
    holds: [
      { upTo: 512, packets: 1 },
      { upTo: 1024, packets: 2 },
      { upTo: 4096, packets: 4 },
    ],
    wide: { threads: 512, packets: 2 },
    prefetchRows: 4,
    prefetchWords: (threads: number) => (threads > 512 ? 16 : 32),
    keepWeight: 4,
    keepWeightAhead: 4,
  };
  return { rows: { ...shared, groups: 1024 }, parts: { ...shared, groups: 256 } };
})();

/**
 * NVIDIA's GPUs. Chosen from a sweep on an H200 (30 November 2026, bfloat16, 8192 rows of 4096, 8192 and 16384 columns, RMSNorm,
 * LayerNorm and add-RMSNorm) that timed kernels alone. One table for all kernels is a compromise: LayerNorm's forward at 8192
 * columns took 0.070 ms at its best, with weights read from cache, and 0.093 ms through this table. A multiprocessor has 65,536
 * registers.
 */
const cuda: DeviceTiles = {
  rows: {
    holds: [
      { upTo: 1024, packets: 4 },
      { upTo: 4096, packets: 8 },
    ],
    wide: { threads: 512, packets: 2 },
    prefetchRows: 0, // other threadgroups' rows arrive meanwhile
    prefetchWords: () => 0,
    keepWeight: 4,
    keepWeightAhead: 4,
    groups: 2 ** 31 - 1,
  },
  parts: {
    holds: [
      { upTo: 512, packets: 1 },
      { upTo: 1024, packets: 2 },
      { upTo: 4096, packets: 8 },
    ],
    wide: { threads: 512, packets: 2 },
    prefetchRows: 2,
    prefetchWords: (threads: number) => 32_768 / threads,
    keepWeight: 8,
    keepWeightAhead: 4,
    groups: 264, // two for each of an H200's multiprocessors
  },
};

/** The tables of a device. */
export function tilesOf(device: DeviceName): DeviceTiles {
  return device === "metal" ? metal : cuda;
}
