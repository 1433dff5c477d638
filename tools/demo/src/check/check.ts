import type { Fill, Operation, Shape } from "@metile/bench";
import { addRmsNorm, layerNorm, rmsNorm } from "@metile/norms";
import { type Device, scope, type Tensor } from "@metile/runtime";
import type { Reference } from "../reference/index.js";
import { type Comparison, compare, type Tolerance, used } from "./compare.js";

/** The worst of an operation's outputs and the worst of its gradients, by name. */
export interface Checked {
  readonly output: { readonly name: string } & Comparison;
  readonly gradient: { readonly name: string } & Comparison;
}

/** Whether every error is within its tolerance. */
export function passes({ output, gradient }: Checked): boolean {
  return used(output) <= 1 && used(gradient) <= 1;
}

const contracts = { rmsNorm, layerNorm, addRmsNorm } as const;

/**
 * What an operation's contract promises for a type. Where terms cancel, so that what is left is next to nothing, a half
 * type cannot be nearer than the float32 arithmetic behind it: float32's absolute tolerance holds there as well.
 */
function promised(name: string, dtype: Shape["dtype"]): Tolerance {
  const tolerances: Readonly<Record<string, Tolerance>> = contracts[name as keyof typeof contracts].contract.tolerances;
  return { absolute: tolerances.float32?.absolute ?? 0, ...tolerances[dtype] };
}

/**
 * The tolerance of a gradient, which is float32. A sum over rows may be off by a ten-millionth of its terms' magnitudes in
 * addition, which is not quite two roundings of each: its terms cancel, and the rounding of what is summed up does not.
 */
function gradientTolerance(operation: string, magnitudes: Float64Array | undefined): Tolerance {
  const margins = magnitudes?.map((magnitude) => 1e-7 * magnitude);
  return { ...promised(operation, "float32"), ...(margins && { margins }) };
}

function worst(all: readonly ({ name: string } & Comparison)[]): { name: string } & Comparison {
  return all.reduce((most, one) => (used(one) > used(most) ? one : most));
}

/**
 * Runs an operation forward and backward and compares everything that comes out with a float64 reference, over all rows.
 *
 * @param shape - gradients have to be float32
 * @param fill - values of inputs and cotangents; they are compared as the device stores them, after rounding to the type
 */
export function check(operation: Operation, reference: Reference, shape: Shape, fill: Fill, device: Device): Checked {
  return scope(() => {
    const inputs = operation.make(shape, fill, device);
    const { outputs, backward } = operation.forward(inputs, shape);
    const gradients = backward();
    const read = (tensor: Tensor): Float32Array => tensor.dataSync() as Float32Array;
    const stored = Object.fromEntries(Object.entries(inputs).map(([name, tensor]) => [name, read(tensor)]));
    // The reference starts from what is stored: that it is what was given, rounded, has to be seen to as well.
    const rounded = Object.entries(inputs).map(([name, { shape: extents }]) => ({
      name: `${name} as stored`,
      ...compare(stored[name] as Float32Array, fill(name, extents), shape.dtype, { steps: 1 }),
    }));
    const exact = reference(stored, shape.rows, shape.columns);
    const output = Object.entries(exact.outputs).map(([name, values]) => ({
      name,
      ...compare(read(outputs[name] as Tensor), values, shape.dtype, promised(operation.name, shape.dtype)),
    }));
    const gradient = Object.entries(exact.gradients).map(([name, values]) => {
      const tolerance = gradientTolerance(operation.name, exact.magnitudes[name]);
      return { name, ...compare(read(gradients[name] as Tensor), values, "float32", tolerance) };
    });
    return { output: worst([...output, ...rounded]), gradient: worst(gradient) };
  });
}
