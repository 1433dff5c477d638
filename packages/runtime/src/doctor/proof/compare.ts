import type { FloatingDtype } from "../../dtype/dtype.js";
import type { PairContract } from "../../pair/contract.js";
import { type CompareTolerance, type Comparison, compare, defaultTolerances } from "../../testing/compare.js";
import { messageOf } from "../outcome.js";
import { hasRows } from "./shapes.js";
import type { NamedValues, Results, Values } from "./trial.js";

/** A comparison that came out well, or what was wrong. */
export interface Compared {
  readonly name: string;
  readonly comparison?: Comparison;
  readonly problem?: string;
}

/**
 * How far two devices may be apart where each may be off by the contract's tolerance; half types by a step. Sums over rows
 * have terms of order 1 that cancel: ten times the absolute part.
 */
export function toleranceBetween(contract: PairContract, dtype: FloatingDtype, overRows: boolean): CompareTolerance {
  const single = { ...defaultTolerances.float32, ...contract.tolerances.float32 } as CompareTolerance;
  const own: CompareTolerance = contract.tolerances[dtype] ?? defaultTolerances[dtype];
  const absolute = 2 * (single.absolute ?? 0) * (overRows ? 10 : 1);
  if (own.steps !== undefined) return { steps: 1, absolute };
  return { relative: 2 * (own.relative ?? 0), absolute };
}

function compareValues(
  name: string,
  seen: Values | undefined,
  expected: Values,
  tolerance: CompareTolerance,
): Compared {
  if (seen === undefined) return { name, problem: `${name}: there is none` };
  if (seen.dtype !== expected.dtype || seen.shape.join() !== expected.shape.join())
    return {
      name,
      problem: `${name}: ${seen.dtype} [${seen.shape}] where the CPU gives ${expected.dtype} [${expected.shape}]`,
    };
  try {
    return { name, comparison: compare(seen.values, expected.values, seen.dtype, tolerance) };
  } catch (error) {
    return { name, problem: `${name}, ${messageOf(error)}` };
  }
}

/** Compares outputs and gradients of a device with the CPU's. */
export function compareResults(contract: PairContract, seen: Results, expected: Results): Compared[] {
  const outputs = Object.entries(expected.outputs).map(([name, values]) =>
    compareValues(name, seen.outputs[name], values, toleranceBetween(contract, values.dtype, false)),
  );
  const gradients = Object.entries(expected.gradients).map(([name, values]) => {
    const overRows = !hasRows(contract.inputs[name]?.shape ?? "");
    const tolerance = toleranceBetween(contract, values.dtype, overRows);
    return compareValues(`gradient of ${name}`, seen.gradients[name], values, tolerance);
  });
  return [...outputs, ...gradients];
}

function different(seen: NamedValues, again: NamedValues): string[] {
  return Object.entries(seen).flatMap(([name, { values }]) => {
    const other = again[name]?.values;
    return other?.length === values.length && values.every((value, index) => Object.is(value, other[index]))
      ? []
      : [name];
  });
}

/** Outputs and gradients that were not the same bits in a second run. */
export function changedBits(seen: Results, again: Results): string[] {
  return [
    ...different(seen.outputs, again.outputs),
    ...different(seen.gradients, again.gradients).map((name) => `gradient of ${name}`),
  ];
}
