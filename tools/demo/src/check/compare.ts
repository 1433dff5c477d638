import type { FloatingDtype } from "@metile/runtime";

/** How far a result may be from the exact one: the largest of what is given. */
export interface Tolerance {
  /** Of the exact value. */
  readonly relative?: number;
  readonly absolute?: number;
  /** Distances between neighbours of the type, at the exact value. */
  readonly steps?: number;
  /** What each element may be off in addition. */
  readonly margins?: ArrayLike<number>;
}

/** The element that came nearest to its tolerance, or went furthest past it. */
export interface Comparison {
  /** |result - exact|; infinite when the result is not a number. */
  readonly error: number;
  /** What the error may be there. */
  readonly allowed: number;
  /** Both in steps of the type, where the tolerance is in steps. */
  readonly inSteps: boolean;
}

/** How much of the tolerance was used: above 1 is a failure. */
export function used({ error, allowed }: Comparison): number {
  return error / allowed;
}

const formats = {
  float32: { fraction: 23, lowest: -126 },
  float16: { fraction: 10, lowest: -14 },
  bfloat16: { fraction: 7, lowest: -126 },
} as const;

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);
/** Of the two halves of a double the one with the exponent: the second one where bytes are in ascending order. */
const upper = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/** The distance between neighbours of a type around a value, from the value's exponent: this runs for every element. */
export function stepAt(value: number, dtype: FloatingDtype): number {
  const { fraction, lowest } = formats[dtype];
  double[0] = value;
  const exponent = (((halves[upper] as number) >>> 20) & 0x7ff) - 1023;
  halves[upper] = (Math.max(lowest, exponent) - fraction + 1023) << 20;
  halves[1 - upper] = 0;
  return double[0];
}

/**
 * Compares a result with the exact one, element by element.
 *
 * @throws Error when their lengths differ
 * @example
 * compare([1.004], [1], "bfloat16", { steps: 1 }); // { error: 0.512, allowed: 1, inSteps: true }
 */
export function compare(
  result: ArrayLike<number>,
  exact: ArrayLike<number>,
  dtype: FloatingDtype,
  { relative = 0, absolute = 0, steps = 0, margins }: Tolerance,
): Comparison {
  if (result.length !== exact.length) throw new Error(`expected ${exact.length} values, received ${result.length}`);
  let worst = { error: 0, allowed: 1, inSteps: false };
  let most = -1;
  for (let index = 0; index < exact.length; index += 1) {
    const value = exact[index] as number;
    const difference = Math.abs((result[index] as number) - value);
    const error = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
    const step = steps > 0 ? stepAt(value, dtype) : 0;
    const allowed = Math.max(steps * step, absolute + relative * Math.abs(value) + (margins?.[index] ?? 0));
    const fraction = error / allowed;
    if (fraction > most) {
      most = fraction;
      const inSteps = steps * step === allowed;
      worst = inSteps ? { error: error / step, allowed: steps, inSteps } : { error, allowed, inSteps };
    }
  }
  return worst;
}
