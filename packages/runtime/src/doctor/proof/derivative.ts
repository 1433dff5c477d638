import type { PairContract } from "../../pair/contract.js";
import { differentiate } from "../../testing/differentiate.js";
import { cotangentsOf, type NamedValues, randomValues, type Trial, type Values } from "./trial.js";

/** The derivative of an operation along one direction, from its outputs and from its gradients. */
export interface DirectionalDerivative {
  /** By central differences of the outputs. */
  readonly numeric: number;
  /** The sum of gradients times direction. */
  readonly analytic: number;
  /** How far apart they may be. */
  readonly bound: number;
}

/** Of the root of the sum of squares: outputs are float32, and so are differences of them. */
const relativeBound = 5e-4;

function moved({ values, ...rest }: Values, direction: Values | undefined, shift: number): Values {
  if (direction === undefined) return { values, ...rest };
  return { ...rest, values: values.map((value, index) => value + shift * (direction.values[index] as number)) };
}

function productOf(first: NamedValues, second: NamedValues): { sum: number; squares: number } {
  let sum = 0;
  let squares = 0;
  for (const [name, { values }] of Object.entries(first))
    values.forEach((value, index) => {
      const term = value * (second[name]?.values[index] ?? 0);
      sum += term;
      squares += term * term;
    });
  return { sum, squares };
}

/**
 * Differentiates the sum of cotangents times outputs along a random direction of all inputs with a gradient, by central
 * differences on the device and by its gradients: what a CPU that is wrong in the same way would not show.
 */
export function directionalDerivative(
  trial: Trial,
  contract: PairContract,
  inputs: NamedValues,
): DirectionalDerivative {
  const { outputs, gradients } = trial.run(inputs);
  const cotangents = cotangentsOf(outputs);
  const direction = Object.fromEntries(
    Object.entries(inputs)
      .filter(([name]) => contract.inputs[name]?.differentiable)
      .map(([name, { shape }]) => [name, randomValues(`direction of ${name}`, shape, "float32")]),
  );
  const along = (shift: number): number => {
    const point = Object.entries(inputs).map(
      ([name, values]) => [name, moved(values, direction[name], shift)] as const,
    );
    return productOf(cotangents, trial.forward(Object.fromEntries(point))).sum;
  };
  const { shift } = differentiate(
    (at: { shift: Float64Array }) => ({ sum: Float64Array.of(along(at.shift[0] as number)) }),
    { shift: Float64Array.of(0) },
    { sum: Float64Array.of(1) },
  );
  const { sum: analytic, squares } = productOf(direction, gradients);
  return { numeric: shift[0] as number, analytic, bound: relativeBound * Math.sqrt(squares) };
}
