import type { RowLaunch } from "@metile/runtime/family";

/** A way to launch a row kernel: what a row of packages/runtime/src/rows/tiles.ts decides. */
export interface Candidate {
  readonly threads: number;
  /** Packets a thread. */
  readonly packets: number;
  /** Elements a packet. */
  readonly pack: number;
  readonly wide: boolean;
  readonly exact: boolean;
  /** A row stays in registers. */
  readonly keep: boolean;
  readonly keepWeight: boolean;
  readonly prefetch: boolean;
  /** Threadgroups that a multiprocessor has to hold at least (CUDA), a bound on registers; 0: none. */
  readonly blocks: number;
  readonly groups: number;
}

/** What is swept. */
export interface Space {
  readonly packets: readonly number[];
  readonly keep: readonly boolean[];
  readonly keepWeight: readonly boolean[];
  readonly prefetch: readonly boolean[];
  readonly blocks: readonly number[];
  readonly groups: readonly number[];
}

const fewestThreads = 64;
const mostThreads = 1024;
/** With so many threads a multiprocessor of 2048 holds two threadgroups anyway. */
const mostBoundThreads = 512;

/** All that is worth trying for kernels with sums over rows, and for those without. */
export function spaceFor(sums: boolean, rows: number, quick: boolean): Space {
  const both = [true, false];
  const groups = sums ? [132, 264, 528, 1024] : [1024, 2112, rows];
  return {
    packets: quick ? [2, 4] : [1, 2, 4, 8],
    keep: quick ? [true] : both,
    keepWeight: both,
    prefetch: both,
    blocks: sums && !quick ? [0, 2] : [0],
    groups: [...new Set((quick ? groups.slice(-2) : groups).map((count) => Math.min(count, rows)))],
  };
}

/** Every combination for rows of so many columns in packets of `pack`. */
export function candidatesFor(columns: number, pack: number, space: Space): Candidate[] {
  const found: Candidate[] = [];
  for (const packets of space.packets) {
    const threads = 2 ** Math.ceil(Math.log2(columns / pack / packets));
    if (threads < fewestThreads || threads > mostThreads) continue;
    const tile = { threads, packets, pack, wide: false, exact: threads * packets * pack === columns };
    for (const keep of space.keep)
      for (const keepWeight of space.keepWeight)
        for (const prefetch of space.prefetch)
          for (const blocks of space.blocks)
            for (const groups of space.groups)
              if (blocks === 0 || threads <= mostBoundThreads)
                found.push({ ...tile, keep, keepWeight, prefetch, blocks, groups });
  }
  return found;
}

/** What the table picks. */
export function candidateOf({ groups, threads = 1, macros = {} }: RowLaunch): Candidate {
  const flag = (name: string): boolean => Number(macros[name] ?? 0) === 1;
  return {
    threads,
    packets: Number(macros.ROW_PACKETS ?? 1),
    pack: Number(macros.ROW_PACK ?? 1),
    wide: flag("ROW_WIDE"),
    exact: flag("ROW_EXACT"),
    keep: flag("ROW_KEEP"),
    keepWeight: flag("ROW_KEEP_WEIGHT"),
    prefetch: flag("ROW_PREFETCH"),
    blocks: Number(macros.METILE_BLOCKS ?? 0),
    groups,
  };
}

/** The macros of a candidate, which with its threads make a variant of the kernel. */
export function macrosOf(one: Candidate): Readonly<Record<string, number>> {
  return {
    ROW_PACKETS: one.packets,
    ROW_PACK: one.pack,
    ROW_WIDE: Number(one.wide),
    ROW_EXACT: Number(one.exact),
    ROW_KEEP: Number(one.keep),
    ROW_KEEP_WEIGHT: Number(one.keepWeight),
    ROW_PREFETCH: Number(one.prefetch),
    ...(one.blocks > 0 && { METILE_BLOCKS: one.blocks }),
  };
}

/** A variant's name: candidates that differ in groups alone share it. */
export function variantOf(one: Candidate): string {
  return JSON.stringify([one.threads, macrosOf(one)]);
}

/** "128 threads × 4 packets, 8192 groups, keeps rows and weights, prefetches, 2 blocks" */
export function describeCandidate(one: Candidate): string {
  const kept = [one.keep && "rows", one.keepWeight && "weights"].filter(Boolean).join(" and ");
  const parts = [
    `${one.threads} threads × ${one.packets} packets`,
    `${one.groups} groups`,
    `keeps ${kept || "nothing"}`,
  ];
  if (one.wide) parts.push("wide");
  if (one.prefetch) parts.push("prefetches");
  if (one.blocks > 0) parts.push(`${one.blocks} blocks`);
  return parts.join(", ");
}
