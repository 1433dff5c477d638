// Norms in float64, forward and backward, over rows.

/** @returns {{ output: number[], source: number[], weight: number[] }} output, and gradients of source and weight */
export function rmsNorm(source, weight, cotangent, width, epsilon) {
  const output = new Array(source.length);
  const gradient = new Array(source.length);
  const weights = new Array(width).fill(0);
  for (let row = 0; row < source.length; row += width) {
    let squares = 0;
    for (let column = 0; column < width; column++) squares += source[row + column] ** 2;
    const rstd = 1 / Math.sqrt(squares / width + epsilon);
    let projection = 0;
    for (let column = 0; column < width; column++) {
      const normal = source[row + column] * rstd;
      output[row + column] = normal * weight[column];
      weights[column] += cotangent[row + column] * normal;
      projection += cotangent[row + column] * weight[column] * normal;
    }
    for (let column = 0; column < width; column++) {
      const normal = source[row + column] * rstd;
      gradient[row + column] = rstd * (cotangent[row + column] * weight[column] - (normal * projection) / width);
    }
  }
  return { output, source: gradient, weight: weights };
}

/** The same with a mean and a bias. */
export function layerNorm(source, weight, bias, cotangent, width, epsilon) {
  const output = new Array(source.length);
  const gradient = new Array(source.length);
  const weights = new Array(width).fill(0);
  const biases = new Array(width).fill(0);
  for (let row = 0; row < source.length; row += width) {
    const values = source.slice(row, row + width);
    const mean = values.reduce((sum, value) => sum + value, 0) / width;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
    const rstd = 1 / Math.sqrt(variance + epsilon);
    const scaled = values.map((_, column) => cotangent[row + column] * weight[column]);
    const total = scaled.reduce((sum, value) => sum + value, 0) / width;
    let projection = 0;
    for (let column = 0; column < width; column++) projection += scaled[column] * (values[column] - mean) * rstd;
    for (let column = 0; column < width; column++) {
      const normal = (values[column] - mean) * rstd;
      output[row + column] = normal * weight[column] + bias[column];
      weights[column] += cotangent[row + column] * normal;
      biases[column] += cotangent[row + column];
      gradient[row + column] = rstd * (scaled[column] - total - (normal * projection) / width);
    }
  }
  return { output, source: gradient, weight: weights, bias: biases };
}
