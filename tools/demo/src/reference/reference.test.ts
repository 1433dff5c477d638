import { describe, expect, it } from "vitest";
import { type Reference, references, type Values } from "./index.js";

const rows = 3;
const columns = 5;

/** Numbers around 0 that repeat nowhere. */
function sample(name: string, length: number): Float64Array {
  const seed = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return Float64Array.from({ length }, (_, index) => Math.sin(seed + 1.7 * index * (1 + (index % 3))));
}

/** The sum of outputs times cotangents, whose derivatives the gradients are. */
function objective(reference: Reference, values: Values): number {
  const { outputs } = reference(values, rows, columns);
  let sum = 0;
  for (const [name, output] of Object.entries(outputs)) {
    const cotangent = values[name === "output" ? "cotangent" : `${name}Cotangent`] as ArrayLike<number>;
    for (const [index, value] of output.entries()) sum += value * (cotangent[index] as number);
  }
  return sum;
}

describe.each([...references])("%s", (_, reference) => {
  const values: Record<string, Float64Array> = {};
  for (const name of ["source", "residual", "cotangent", "residualCotangent"])
    values[name] = sample(name, rows * columns);
  for (const name of ["weight", "bias"]) values[name] = sample(name, columns);

  it("has the gradients that central differences give", () => {
    const { gradients } = reference(values, rows, columns);
    for (const [name, gradient] of Object.entries(gradients))
      gradient.forEach((value, index) => {
        const moved = (by: number): number => {
          const changed = Float64Array.from(values[name] as Float64Array);
          changed[index] = (changed[index] as number) + by;
          return objective(reference, { ...values, [name]: changed });
        };
        expect((moved(1e-5) - moved(-1e-5)) / 2e-5).toBeCloseTo(value, 7);
      });
  });

  it("normalises: with weights of 1 the mean square of each row is 1, but for epsilon", () => {
    const plain = { ...values, weight: new Float64Array(columns).fill(1), bias: new Float64Array(columns) };
    const { output } = reference(plain, rows, columns).outputs as { output: Float64Array };
    for (let row = 0; row < rows; row += 1) {
      const squares = output
        .subarray(row * columns, (row + 1) * columns)
        .reduce((sum, value) => sum + value * value, 0);
      expect(squares / columns).toBeCloseTo(1, 3);
    }
  });
});
