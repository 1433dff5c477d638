import type { FloatingDtype } from "../dtype/dtype.js";
import { round, stepAt, stepsBetween } from "./rounding.js";

/**
 * How far a result may be from the exact one.
 *
 * - `relative`, `absolute`: |result - exact| <= absolute + relative * |exact|.
 * - `steps`: the exact value rounded once to the type, give or take so many values of the type. With `absolute` too,
 *   either will do: for results of a half type whose float32 terms cancel.
 */
export interface CompareTolerance {
  readonly relative?: number;
  readonly absolute?: number;
  readonly steps?: number;
}

/** The largest difference that a comparison met. */
export interface Comparison {
  /** |result - exact|, at its largest against the bound; 0 when there are no values. */
  readonly error: number;
  /** Where; -1 when there are no values. */
  readonly index: number;
  /** The error there as a fraction of what was allowed: at most 1. */
  readonly fraction: number;
}

/** Results that are further from the exact ones than they may be. */
export class ComparisonError extends Error {
  override readonly name = "ComparisonError";
  /** The worst value's index. */
  readonly index: number;
  readonly actual: number;
  readonly expected: number;
  /** The error that was allowed there. */
  readonly bound: number;

  constructor(message: string, facts: { index: number; actual: number; expected: number; bound: number }) {
    super(message);
    this.index = facts.index;
    this.actual = facts.actual;
    this.expected = facts.expected;
    this.bound = facts.bound;
  }
}

/** What is asked of each type unless a test says otherwise. */
export const defaultTolerances: Readonly<Record<FloatingDtype, CompareTolerance>> = {
  float32: { relative: 1e-5, absolute: 1e-6 },
  float16: { steps: 1 },
  bfloat16: { steps: 1 },
};

/** The error that is allowed at an exact value, in the value's own units. */
function boundAt(exact: number, dtype: FloatingDtype, { relative, absolute, steps }: CompareTolerance): number {
  const margin = (absolute ?? 0) + (relative ?? 0) * Math.abs(exact);
  return steps === undefined ? margin : Math.max(margin, steps * stepAt(exact, dtype));
}

/** The error as a fraction of what is allowed; more than 1 is a failure. */
function fractionOf(actual: number, exact: number, dtype: FloatingDtype, tolerance: CompareTolerance): number {
  // Both are NaN, or the very same number (an infinity too).
  if (Object.is(actual, exact) || actual === exact) return 0;
  const { relative, absolute, steps } = tolerance;
  const target = steps === undefined ? exact : round(exact, dtype);
  if (actual === target) return 0;
  // Infinite and NaN results have no distance: they are right only when they are the exact ones.
  const near = Number.isFinite(exact) && Number.isFinite(actual);
  const direct = near
    ? Math.abs(actual - exact) / ((absolute ?? 0) + (relative ?? 0) * Math.abs(exact))
    : Number.POSITIVE_INFINITY;
  return steps === undefined || direct <= 1 ? direct : stepsBetween(actual, target, dtype) / steps;
}

function report(
  actual: ArrayLike<number>,
  exact: ArrayLike<number>,
  dtype: FloatingDtype,
  tolerance: CompareTolerance,
): never {
  let worst = -1;
  let largest = 1;
  let count = 0;
  for (let index = 0; index < exact.length; index += 1) {
    const fraction = fractionOf(actual[index] as number, exact[index] as number, dtype, tolerance);
    if (fraction <= 1) continue;
    count += 1;
    if (worst < 0 || fraction > largest) [worst, largest] = [index, fraction];
  }
  const got = actual[worst] as number;
  const wanted = exact[worst] as number;
  const bound = boundAt(wanted, dtype, tolerance);
  const { steps } = tolerance;
  const allowed = steps === undefined ? bound.toPrecision(4) : `${steps} step${steps === 1 ? "" : "s"} of ${dtype}`;
  const target = steps === undefined ? `${wanted}` : `${round(wanted, dtype)} (exactly ${wanted})`;
  throw new ComparisonError(
    `index ${worst}: got ${got}, wanted ${target}, off by ${Math.abs(got - wanted).toPrecision(4)} where ${allowed} ` +
      `may be; ${count} of ${exact.length} values are off`,
    { index: worst, actual: got, expected: wanted, bound },
  );
}

/**
 * Checks results against exact ones. NaN must meet NaN, and an infinity the same infinity.
 *
 * @param actual - what was computed, as `Tensor.data()` gives it
 * @param exact - the values in float64, not rounded to the type
 * @param dtype - the type of the results
 * @param tolerance - default: relative 1e-5 and absolute 1e-6 for float32, one step for half types
 * @returns the largest error
 * @throws ComparisonError with the index, both values and the bound of the worst one
 * @example
 * compare(output.dataSync(), reference.output, "bfloat16").error;
 */
export function compare(
  actual: ArrayLike<number>,
  exact: ArrayLike<number>,
  dtype: FloatingDtype,
  tolerance: CompareTolerance = defaultTolerances[dtype],
): Comparison {
  if (actual.length !== exact.length)
    throw new ComparisonError(`${actual.length} values where ${exact.length} were wanted`, {
      index: Math.min(actual.length, exact.length),
      actual: actual.length,
      expected: exact.length,
      bound: 0,
    });
  let at = -1;
  let largest = -1;
  for (let index = 0; index < exact.length; index += 1) {
    const fraction = fractionOf(actual[index] as number, exact[index] as number, dtype, tolerance);
    if (fraction > largest) [at, largest] = [index, fraction];
  }
  if (largest > 1) report(actual, exact, dtype, tolerance);
  if (at < 0) return { error: 0, index: -1, fraction: 0 };
  const error = largest === 0 ? 0 : Math.abs((actual[at] as number) - (exact[at] as number));
  return { error, index: at, fraction: largest };
}
