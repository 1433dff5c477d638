import { summarize } from "../measure/statistics.js";
import type { Candidate } from "./candidates.js";

/** A candidate with its samples in milliseconds. */
export interface Timed {
  readonly candidate: Candidate;
  readonly samples: readonly number[];
}

/** How many of the first pass are timed again, beside what the table picks. */
const finalists = 6;

function median({ samples }: Timed): number {
  return summarize(samples).median;
}

/** The fastest of a first pass, fastest first, and what the table picks where it is not among them. */
export function finalistsOf(timed: readonly Timed[], table: Candidate): Candidate[] {
  const sorted = timed.filter(({ samples }) => samples.length > 0).sort((one, other) => median(one) - median(other));
  const best = sorted.slice(0, finalists).map(({ candidate }) => candidate);
  const key = JSON.stringify(table);
  return best.some((one) => JSON.stringify(one) === key) ? best : [...best, table];
}

/** What a sweep of a kernel at a width found. */
export interface Choice {
  readonly best: Candidate;
  readonly bestMilliseconds: number;
  readonly table: Candidate;
  readonly tableMilliseconds: number;
  /** By how much the table is slower than the best, in per cent; 0 where it is the best. */
  readonly lossPercent: number;
  /** Whether the quartiles of the two do not overlap: then the difference is more than the spread of the samples. */
  readonly certain: boolean;
}

/**
 * The choice among finalists, the table's among them.
 * @throws Error when the table's was not timed
 */
export function choose(timed: readonly Timed[], table: Candidate): Choice {
  const key = JSON.stringify(table);
  const own = timed.find(({ candidate, samples }) => samples.length > 0 && JSON.stringify(candidate) === key);
  if (own === undefined) throw new Error("expected samples of what the table picks, received none");
  let best = own;
  for (const one of timed) if (one.samples.length > 0 && median(one) < median(best)) best = one;
  const tableSummary = summarize(own.samples);
  const bestSummary = summarize(best.samples);
  return {
    best: best.candidate,
    bestMilliseconds: bestSummary.median,
    table,
    tableMilliseconds: tableSummary.median,
    lossPercent: (tableSummary.median / bestSummary.median - 1) * 100,
    certain: best !== own && bestSummary.upper < tableSummary.lower,
  };
}
