/** What the stand-in has counted since it was loaded. */
export interface StandinReport {
  /** Objects that are alive, classes and selectors apart. */
  readonly liveObjects: number;
  /** Copied blocks that were not released. */
  readonly liveBlocks: number;
  /** Objects that were autoreleased without a pool. */
  readonly poolLeaks: number;
  /** Bytes of live buffers, whole pages. */
  readonly liveBytes: number;
  readonly peakBytes: number;
  /** Command buffers that were made and are neither done nor gone. */
  readonly openCommandBuffers: number;
  /** Committed ones. */
  readonly commandBuffers: number;
  readonly failedCommandBuffers: number;
  readonly encoders: number;
  readonly dispatches: number;
  readonly droppedDispatches: number;
  readonly barriers: number;
  /** Copies and fills of blit encoders. */
  readonly blits: number;
  readonly libraries: number;
  /** Libraries of safe or relaxed math that still use the fast variants of functions. */
  readonly fastFunctionLibraries: number;
  /** Libraries of fast math. */
  readonly fastMathLibraries: number;
  readonly pipelines: number;
  /** Live objects by class. */
  readonly live: Readonly<Record<string, number>>;
}

/** The stand-in that this process has loaded, or loads by this. */
export interface Standin {
  report(): StandinReport;
  /**
   * The next command buffer that is committed fails, and its queue refuses all later ones.
   *
   * @param code - a `MTLCommandBufferError`: 2 timeout, 3 page fault, 8 out of memory, 11 device removed
   * @param message - @default what Apple's driver says
   */
  failNext(code: number, message?: string): void;
  /** The next so many buffers are nil. */
  failNextAllocation(count?: number): void;
}

interface Addon {
  report(): string;
  failNext(code: number, message: string): void;
  failNextAllocation(count: number): void;
}

/**
 * Counters and faults of the stand-in in this process.
 *
 * @param path - the library, the same path that the host opens. @default the variable `METILE_METAL_STANDIN`
 *
 * @example
 * ```ts
 * const standin = openStandin();
 * standin.failNext(3);
 * standin.report().poolLeaks; // 0
 * ```
 */
export function openStandin(path = process.env.METILE_METAL_STANDIN): Standin {
  if (!path) throw new Error("METILE_METAL_STANDIN names no library.");
  const module = { exports: {} as Addon };
  process.dlopen(module, path);
  const addon = module.exports;
  return {
    report: () => JSON.parse(addon.report()) as StandinReport,
    failNext: (code, message = "") => addon.failNext(code, message),
    failNextAllocation: (count = 1) => addon.failNextAllocation(count),
  };
}
