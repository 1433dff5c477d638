import type { FloatingDtype } from "@metile/runtime";
import type { Pass } from "../measure/case.js";
import type { CaseResult } from "../measure/runner.js";
import { type Summary, summarize } from "../measure/statistics.js";

/** The share of the copy bandwidth that every operation has to reach. */
export const leastShare = 0.5;

/** The size for which targets are stated. */
export const statedFor = { rows: 4096, columns: 8192 } as const;

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
  /** Milliseconds by the name of the peer; a peer that has no samples is absent. */
  readonly milliseconds: Readonly<Record<string, Summary>>;
  /** Bytes moved by meTile, in 10⁹ a second. */
  readonly gigabytesASecond: number | undefined;
  /** meTile's bandwidth over the copy's, measured in the same rounds. */
  readonly shareOfCopy: number | undefined;
  /** How many times faster than PyTorch. */
  readonly ratio: number | undefined;
  readonly target: { readonly ratio: number | undefined; readonly shareOfCopy: number };
  /** By what was missed; undefined when the size is not the one that targets are stated for, or nothing was measured. */
  readonly missed: readonly ("ratio" | "copy")[] | undefined;
  readonly failures: Readonly<Record<string, string>>;
}

function isStated({ rows, columns }: { rows: number; columns: number }): boolean {
  return rows === statedFor.rows && columns === statedFor.columns;
}

/**
 * Turns samples into figures.
 *
 * @param result - what the runner gave, with peers called metile, copy and torch
 * @param bytes - what a run reads and writes
 * @param targetRatio - how many times faster than PyTorch it has to be; undefined: no target
 */
export function figuresOf(result: CaseResult, bytes: number, targetRatio: number | undefined): Figures {
  const { operation, pass, dtype, rows, columns, gradientType } = result.task;
  const milliseconds: Record<string, Summary> = {};
  for (const [name, samples] of Object.entries(result.samples))
    if (samples.length > 0) milliseconds[name] = summarize(samples);
  const own = milliseconds.metile?.median;
  const over = (name: string): number | undefined => {
    const other = milliseconds[name]?.median;
    return own === undefined || other === undefined ? undefined : other / own;
  };
  const ratio = over("torch");
  const shareOfCopy = over("copy");
  const missed: ("ratio" | "copy")[] = [];
  if (targetRatio !== undefined && ratio !== undefined && ratio < targetRatio) missed.push("ratio");
  if (shareOfCopy !== undefined && shareOfCopy < leastShare) missed.push("copy");
  return {
    operation,
    pass,
    dtype,
    rows,
    columns,
    gradientType,
    bytes,
    milliseconds,
    gigabytesASecond: own === undefined ? undefined : bytes / own / 1e6,
    shareOfCopy,
    ratio,
    target: { ratio: targetRatio, shareOfCopy: leastShare },
    missed: isStated(result.task) && shareOfCopy !== undefined ? missed : undefined,
    failures: result.failures,
  };
}
