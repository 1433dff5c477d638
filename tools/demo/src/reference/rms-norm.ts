import { type Exact, epsilon, mean, type Reference, Sums, take, type Values } from "./reference.js";

/** RMSNorm of rows, and its gradients; `added` is a cotangent that reaches the rows past the norm. */
function normalise(
  source: ArrayLike<number>,
  weight: ArrayLike<number>,
  cotangent: ArrayLike<number>,
  added: ArrayLike<number> | undefined,
  rows: number,
  columns: number,
): { output: Float64Array; gradient: Float64Array; weight: Sums } {
  const output = new Float64Array(rows * columns);
  const gradient = new Float64Array(rows * columns);
  const weightGradient = new Sums(columns);
  for (let row = 0; row < rows; row += 1) {
    const at = row * columns;
    const x = (column: number): number => source[at + column] as number;
    const dy = (column: number): number => cotangent[at + column] as number;
    const w = (column: number): number => weight[column] as number;
    const rstd = 1 / Math.sqrt(mean(columns, (column) => x(column) ** 2) + epsilon);
    const along = mean(columns, (column) => dy(column) * w(column) * x(column)) * rstd ** 3;
    for (let column = 0; column < columns; column += 1) {
      const index = at + column;
      output[index] = x(column) * rstd * w(column);
      gradient[index] = dy(column) * w(column) * rstd - x(column) * along + (added?.[index] ?? 0);
      weightGradient.add(column, dy(column) * x(column) * rstd);
    }
  }
  return { output, gradient, weight: weightGradient };
}

/** RMSNorm: x / sqrt(mean(x²) + epsilon) · weight. */
export const rmsNormReference: Reference = (values, rows, columns) => {
  const [source, weight, cotangent] = [take(values, "source"), take(values, "weight"), take(values, "cotangent")];
  const exact = normalise(source, weight, cotangent, undefined, rows, columns);
  return {
    outputs: { output: exact.output },
    gradients: { source: exact.gradient, weight: exact.weight.values },
    magnitudes: { weight: exact.weight.magnitudes },
  };
};

/** Addition and RMSNorm of the sum; the sum is an output of its own. */
export const addRmsNormReference: Reference = (values: Values, rows, columns): Exact => {
  const source = take(values, "source");
  const residual = take(values, "residual");
  const sum = Float64Array.from(source, (value, index) => value + (residual[index] as number));
  const [weight, cotangent] = [take(values, "weight"), take(values, "cotangent")];
  const exact = normalise(sum, weight, cotangent, take(values, "residualCotangent"), rows, columns);
  return {
    outputs: { output: exact.output, residual: sum },
    gradients: { source: exact.gradient, residual: exact.gradient, weight: exact.weight.values },
    magnitudes: { weight: exact.weight.magnitudes },
  };
};
