import type { FloatingDtype } from "@metile/runtime";
import { type ReferencePair, round } from "@metile/runtime/testing";

/** What the formula depends on beside its inputs. */
export interface RmsNormReferenceOptions {
  readonly columns: number;
  readonly epsilon: number;
  readonly offset?: number;
  readonly casting?: "gemma" | "llama";
  /** The source's type: where casting "llama" rounds. */
  readonly dtype: FloatingDtype;
}

type Input = "source" | "weight";

/** 1 / sqrt(mean square + epsilon) of one row. Epsilon is the float32 that kernels get. */
function reciprocalRoot(source: Float64Array, row: number, { columns, epsilon }: RmsNormReferenceOptions): number {
  let squares = 0;
  for (let column = 0; column < columns; column += 1) squares += (source[row * columns + column] as number) ** 2;
  return 1 / Math.sqrt(squares / columns + Math.fround(epsilon));
}

/** offset + weight, or 1 without a weight, whatever the offset. */
function factor(weight: Float64Array | undefined, column: number, offset = 0): number {
  return weight === undefined ? 1 : Math.fround(offset) + (weight[column] as number);
}

/** RMSNorm in float64. */
export const rmsNormReference: ReferencePair<Input, "output", RmsNormReferenceOptions> = {
  forward({ source, weight }, options) {
    const { columns, offset, casting, dtype } = options;
    const values = source as Float64Array;
    const output = new Float64Array(values.length);
    for (let row = 0; row * columns < values.length; row += 1) {
      const rstd = reciprocalRoot(values, row, options);
      for (let column = 0; column < columns; column += 1) {
        const at = row * columns + column;
        const normalised = (values[at] as number) * rstd;
        output[at] = (casting === "llama" ? round(normalised, dtype) : normalised) * factor(weight, column, offset);
      }
    }
    return { output };
  },

  // Of the formula over real numbers: rounding on the way counts as identity, for either casting.
  backward({ source, weight }, { output: cotangent }, options) {
    const { columns, offset } = options;
    const values = source as Float64Array;
    const sourceGradient = new Float64Array(values.length);
    const weightGradient = new Float64Array(columns);
    if (cotangent !== undefined)
      for (let row = 0; row * columns < values.length; row += 1) {
        const rstd = reciprocalRoot(values, row, options);
        let product = 0;
        for (let column = 0; column < columns; column += 1) {
          const at = row * columns + column;
          product += (cotangent[at] as number) * factor(weight, column, offset) * (values[at] as number);
        }
        for (let column = 0; column < columns; column += 1) {
          const at = row * columns + column;
          const value = values[at] as number;
          const scaled = (cotangent[at] as number) * factor(weight, column, offset);
          sourceGradient[at] = rstd * scaled - (rstd ** 3 / columns) * value * product;
          weightGradient[column] = (weightGradient[column] as number) + (cotangent[at] as number) * value * rstd;
        }
      }
    return { source: sourceGradient, ...(weight && { weight: weightGradient }) };
  },
};
