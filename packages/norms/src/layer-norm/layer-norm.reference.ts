import type { ReferencePair } from "@metile/runtime/testing";

/** What the formula depends on beside its inputs. */
export interface LayerNormReferenceOptions {
  /** The number of elements that are normalised together. */
  readonly columns: number;
  readonly epsilon: number;
}

type Input = "source" | "weight" | "bias";

/** Mean and 1 / sqrt(variance + epsilon) of one row: the population variance, around the mean. */
function moments(
  source: Float64Array,
  row: number,
  { columns, epsilon }: LayerNormReferenceOptions,
): { mean: number; rstd: number } {
  let sum = 0;
  for (let column = 0; column < columns; column += 1) sum += source[row * columns + column] as number;
  const mean = sum / columns;
  let squares = 0;
  for (let column = 0; column < columns; column += 1)
    squares += ((source[row * columns + column] as number) - mean) ** 2;
  return { mean, rstd: 1 / Math.sqrt(squares / columns + Math.fround(epsilon)) };
}

/** LayerNorm in float64. */
export const layerNormReference: ReferencePair<Input, "output", LayerNormReferenceOptions> = {
  forward({ source, weight, bias }, options) {
    const { columns } = options;
    const values = source as Float64Array;
    const output = new Float64Array(values.length);
    for (let row = 0; row * columns < values.length; row += 1) {
      const { mean, rstd } = moments(values, row, options);
      for (let column = 0; column < columns; column += 1) {
        const at = row * columns + column;
        output[at] = ((values[at] as number) - mean) * rstd * (weight?.[column] ?? 1) + (bias?.[column] ?? 0);
      }
    }
    return { output };
  },

  backward({ source, weight, bias }, { output: cotangent }, options) {
    const { columns } = options;
    const values = source as Float64Array;
    const sourceGradient = new Float64Array(values.length);
    const weightGradient = new Float64Array(columns);
    const biasGradient = new Float64Array(columns);
    if (cotangent !== undefined)
      for (let row = 0; row * columns < values.length; row += 1) {
        const { mean, rstd } = moments(values, row, options);
        const normalised = (column: number): number => ((values[row * columns + column] as number) - mean) * rstd;
        const scaled = (column: number): number =>
          (cotangent[row * columns + column] as number) * (weight?.[column] ?? 1);
        let sum = 0;
        let product = 0;
        for (let column = 0; column < columns; column += 1) {
          sum += scaled(column);
          product += scaled(column) * normalised(column);
        }
        for (let column = 0; column < columns; column += 1) {
          const given = cotangent[row * columns + column] as number;
          sourceGradient[row * columns + column] =
            rstd * (scaled(column) - sum / columns - (normalised(column) * product) / columns);
          weightGradient[column] = (weightGradient[column] as number) + given * normalised(column);
          biasGradient[column] = (biasGradient[column] as number) + given;
        }
      }
    return { source: sourceGradient, ...(weight && { weight: weightGradient }), ...(bias && { bias: biasGradient }) };
  },
};
