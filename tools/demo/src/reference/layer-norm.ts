import { epsilon, mean, type Reference, Sums, take } from "./reference.js";

/** LayerNorm: (x - mean(x)) / sqrt(variance + epsilon) · weight + bias, with the population variance. */
export const layerNormReference: Reference = (values, rows, columns) => {
  const [source, weight, bias] = [take(values, "source"), take(values, "weight"), take(values, "bias")];
  const cotangent = take(values, "cotangent");
  const output = new Float64Array(rows * columns);
  const gradient = new Float64Array(rows * columns);
  const weightGradient = new Sums(columns);
  const biasGradient = new Sums(columns);
  const normalised = new Float64Array(columns);
  for (let row = 0; row < rows; row += 1) {
    const at = row * columns;
    const x = (column: number): number => source[at + column] as number;
    const dy = (column: number): number => cotangent[at + column] as number;
    const w = (column: number): number => weight[column] as number;
    const centre = mean(columns, x);
    const rstd = 1 / Math.sqrt(mean(columns, (column) => (x(column) - centre) ** 2) + epsilon);
    for (let column = 0; column < columns; column += 1) normalised[column] = (x(column) - centre) * rstd;
    const n = (column: number): number => normalised[column] as number;
    const level = mean(columns, (column) => dy(column) * w(column));
    const along = mean(columns, (column) => dy(column) * w(column) * n(column));
    for (let column = 0; column < columns; column += 1) {
      output[at + column] = n(column) * w(column) + (bias[column] as number);
      gradient[at + column] = rstd * (dy(column) * w(column) - level - n(column) * along);
      weightGradient.add(column, dy(column) * n(column));
      biasGradient.add(column, dy(column));
    }
  }
  return {
    outputs: { output },
    gradients: { source: gradient, weight: weightGradient.values, bias: biasGradient.values },
    magnitudes: { weight: weightGradient.magnitudes, bias: biasGradient.magnitudes },
  };
};
