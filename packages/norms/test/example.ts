import { type FloatingDtype, scope, type Tensor, tensor } from "@metile/runtime";
import { compare, differentiate, Random, rounded } from "@metile/runtime/testing";
import { expect } from "vitest";
import type { AnyOptions, Subject } from "./subjects.js";

type Matrix = readonly (readonly number[])[];

/** A call with numbers that are written down. */
export interface Example {
  /** By name; what is left out is absent. Rows of the source's shape, parameters of one row. */
  readonly inputs: Readonly<Record<string, Matrix | readonly number[] | undefined>>;
  /** By the name of the output. */
  readonly cotangents?: Readonly<Record<string, Matrix>>;
  readonly options?: Readonly<Record<string, unknown>>;
  /** The type of all tensors. Default: float32. */
  readonly dtype?: FloatingDtype;
  /** Types by the name of an input, where they are not that. */
  readonly dtypes?: Readonly<Record<string, FloatingDtype>>;
}

/** Outputs, and gradients where there were cotangents, by name. */
export interface Results {
  readonly outputs: Readonly<Record<string, ArrayLike<number>>>;
  readonly gradients: Readonly<Record<string, ArrayLike<number>>>;
}

const fieldEpsilon = 1e-6;

function numbers(results: Readonly<Record<string, Tensor>>): Record<string, ArrayLike<number>> {
  return Object.fromEntries(Object.entries(results).map(([name, result]) => [name, result.dataSync()]));
}

/** Runs the kernels on an example. */
export function runKernel(subject: Subject, example: Example): Results {
  const { dtype = "float32", dtypes = {}, inputs, cotangents, options } = example;
  return scope(() => {
    const call = [...subject.rows, ...subject.parameters].map((name) => {
      const values = inputs[name];
      return values === undefined ? null : tensor(values, undefined, dtypes[name] ?? dtype);
    });
    const { saved, ...outputs } = subject.pair.forward(...call, { epsilon: fieldEpsilon, ...options });
    if (cotangents === undefined) return { outputs: numbers(outputs), gradients: {} };
    const given = Object.entries(cotangents).map(([name, values]) => [name, tensor(values, undefined, dtype)]);
    return { outputs: numbers(outputs), gradients: numbers(subject.pair.backward(saved, Object.fromEntries(given))) };
  });
}

/** What a tensor of a half type holds; float32 counts as exact, since the examples were worked out in float64. */
function flat(values: Matrix | readonly number[], dtype: FloatingDtype): Float64Array {
  const all = values.flat() as number[];
  return dtype === "float32" ? Float64Array.from(all) : rounded(all, dtype);
}

/** Runs the float64 reference on an example. */
export function runReference(subject: Subject, example: Example): Results {
  const { dtype = "float32", dtypes = {}, inputs, cotangents, options } = example;
  const values = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, value && flat(value, dtypes[name] ?? dtype)]),
  );
  const columns = (inputs.source as Matrix)[0]?.length as number;
  const settings: AnyOptions = { epsilon: fieldEpsilon, ...options, columns, dtype };
  const given = Object.entries(cotangents ?? {}).map(([name, value]) => [name, flat(value, dtype)]);
  return {
    outputs: subject.reference.forward(values, settings),
    gradients: cotangents
      ? (subject.reference.backward(values, Object.fromEntries(given), settings) as Results["gradients"])
      : {},
  };
}

/** Both, with a name for tests. */
export const runners = [
  { runner: "kernel", run: runKernel },
  { runner: "reference", run: runReference },
] as const;

/** Expects numbers as printed, to 7 digits: a reference's exactly, a kernel's within the rounding of float32. */
export function expectDigits(runner: string, actual: ArrayLike<number> | undefined, printed: readonly number[]): void {
  if (runner === "reference")
    expect(Array.from(actual ?? [], (value) => Number(value.toPrecision(7)) + 0)).toEqual(printed);
  else compare(actual ?? [], printed, "float32", { relative: 1e-6, absolute: 1e-7 });
}

/** Expects numbers within the tolerance of float32. */
export function expectClose(actual: ArrayLike<number> | undefined, exact: readonly number[]): void {
  compare(actual ?? [], exact, "float32");
}

/** Checks a reference's gradients against central differences at a random point. */
export function expectDifferences(
  subject: Subject,
  settings: { rows: number; columns: number; options?: object; without?: string[] },
): void {
  const { rows, columns, options = {}, without = [] } = settings;
  const random = new Random(rows * 100 + columns);
  const inputs: Record<string, Float64Array> = {};
  for (const name of subject.rows) inputs[name] = random.normal(rows * columns);
  for (const name of subject.parameters) if (!without.includes(name)) inputs[name] = random.normal(columns);
  const cotangents = Object.fromEntries(subject.outputs.map((name) => [name, random.normal(rows * columns)]));
  const reference: AnyOptions = { epsilon: 0.01, ...options, columns, dtype: "float32" };
  const expected = differentiate((point) => subject.reference.forward(point, reference), inputs, cotangents);
  const gradients = subject.reference.backward(inputs, cotangents, reference);
  expect(Object.keys(gradients).sort()).toEqual(Object.keys(inputs).sort());
  for (const [name, gradient] of Object.entries(gradients))
    compare(gradient as Float64Array, expected[name] as Float64Array, "float32", { relative: 1e-8, absolute: 1e-9 });
}
