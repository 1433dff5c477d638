import type { FloatingDtype } from "@metile/runtime";
import type { Pass } from "../measure/case.js";
import type { CaseResult } from "../measure/runner.js";
import { type Summary, summarize } from "../measure/statistics.js";
import type { Target } from "./targets.js";

/** What is known of a case after it was measured. */
export interface Figures {
  readonly operation: string;
  readonly pass: Pass;
  readonly dtype: FloatingDtype;
  readonly rows: number;
  readonly columns: number;
  readonly gradientType: string;
  /** What a run reads and writes, at the least. */
  readonly bytes: number;
  /** Milliseconds by the name of the peer; a peer that has no samples is absent. "copy" is the floor. */
  readonly milliseconds: Readonly<Record<string, Summary>>;
  /** Bytes moved by meTile, in 10⁹ a second. */
  readonly gigabytesASecond: number | undefined;
  /** meTile's bandwidth over the copy's, measured in the same rounds. */
  readonly shareOfCopy: number | undefined;
  /** How many times faster than the best peer beside the copy. */
  readonly ratio: number | undefined;
  readonly target: Target | undefined;
  /** By what was missed; undefined where there is no target, or nothing was measured. */
  readonly missed: readonly ("ratio" | "copy")[] | undefined;
  readonly failures: Readonly<Record<string, string>>;
}

/** Figures with everything that is written to disk. */
export interface CaseFigures extends Figures {
  /** The samples behind them, in the order in which they were taken. */
  readonly samples: Readonly<Record<string, readonly number[]>>;
  /** Bytes above the inputs at the peak of one run, by the name of the peer. */
  readonly peakBytes: Readonly<Record<string, number>>;
  /** Of the floor: a copy's time for as many bytes over the peer's, by the name of the peer. */
  readonly shares: Readonly<Record<string, number>>;
  /** The fastest peer beside meTile and the copy: what the ratio is to. */
  readonly rival: string | undefined;
}

/** Names that are no rivals. */
const own = ["metile", "copy"];

/**
 * Turns samples into figures.
 *
 * @param result - what the runner gave; meTile is called metile, the floor copy
 * @param bytes - what a run reads and writes
 * @param target - what it has to reach; undefined: nothing is judged
 */
export function figuresOf(result: CaseResult, bytes: number, target: Target | undefined): CaseFigures {
  const { operation, pass, dtype, rows, columns, gradientType } = result.task;
  const milliseconds: Record<string, Summary> = {};
  for (const [name, samples] of Object.entries(result.samples))
    if (samples.length > 0) milliseconds[name] = summarize(samples);
  const mine = milliseconds.metile?.median;
  const floor = milliseconds.copy?.median;
  const shares: Record<string, number> = {};
  if (floor !== undefined)
    for (const [name, { median }] of Object.entries(milliseconds))
      if (name !== "copy" && median > 0) shares[name] = floor / median;
  const rivals = Object.entries(milliseconds).filter(([name]) => !own.includes(name));
  const [rival, best] = rivals.sort(([, one], [, other]) => one.median - other.median)[0] ?? [];
  const ratio = mine === undefined || best === undefined ? undefined : best.median / mine;
  const missed: ("ratio" | "copy")[] = [];
  if (target?.ratio !== undefined && ratio !== undefined && ratio < target.ratio) missed.push("ratio");
  const share = shares.metile;
  if (target?.shareOfCopy !== undefined && share !== undefined && share < target.shareOfCopy) missed.push("copy");
  return {
    operation,
    pass,
    dtype,
    rows,
    columns,
    gradientType,
    bytes,
    milliseconds,
    samples: result.samples,
    peakBytes: result.peakBytes,
    gigabytesASecond: mine === undefined ? undefined : bytes / mine / 1e6,
    shareOfCopy: share,
    shares,
    rival,
    ratio,
    target,
    missed: target !== undefined && share !== undefined ? missed : undefined,
    failures: result.failures,
  };
}
