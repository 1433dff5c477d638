/** Numbers of an operation by name. */
export type Values = Readonly<Record<string, ArrayLike<number>>>;

/** What an operation gives in exact arithmetic, or nearly: in float64, from inputs as they are stored. */
export interface Exact {
  readonly outputs: Readonly<Record<string, Float64Array>>;
  readonly gradients: Readonly<Record<string, Float64Array>>;
  /** For gradients that are sums over rows: the sums of their terms' magnitudes, which is what rounding grows with. */
  readonly magnitudes: Readonly<Record<string, Float64Array>>;
}

/**
 * A plain float64 version of an operation, written from its formula and independent of the kernels.
 *
 * @param values - inputs and cotangents, row-major
 */
export type Reference = (values: Values, rows: number, columns: number) => Exact;

/** What the operations add inside the root; the kernels get the same float32 number. */
export const epsilon = Math.fround(1e-5);

/** Named values; a missing one is a mistake of the caller. */
export function take(values: Values, name: string): ArrayLike<number> {
  const found = values[name];
  if (found === undefined) throw new Error(`no values for "${name}"`);
  return found;
}

/** The mean over a row of what a function gives for each column. */
export function mean(columns: number, term: (column: number) => number): number {
  let sum = 0;
  for (let column = 0; column < columns; column += 1) sum += term(column);
  return sum / columns;
}

/** Adds terms to a sum, and their magnitudes to another. */
export class Sums {
  readonly values: Float64Array;
  readonly magnitudes: Float64Array;

  constructor(columns: number) {
    this.values = new Float64Array(columns);
    this.magnitudes = new Float64Array(columns);
  }

  add(column: number, term: number): void {
    this.values[column] = (this.values[column] as number) + term;
    this.magnitudes[column] = (this.magnitudes[column] as number) + Math.abs(term);
  }
}
