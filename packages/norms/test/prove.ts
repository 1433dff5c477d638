import { type FloatingDtype, scope, type Tensor } from "@metile/runtime";
import { type CompareTolerance, ComparisonError, compare, withGuards } from "@metile/runtime/testing";
import { type Case, type Prepared, prepare, tensorsIn, valuesIn } from "./case.js";
import type { Subject } from "./subjects.js";

/**
 * What is asked of a result. float32: 1e-5 of the value and 1e-6, or 1e-5 for a sum over rows (whose terms are of order
 * 1 and cancel). Half types: one step; where float32 terms cancel, the float32 margin does as well; two steps behind the
 * inner rounding of casting "llama", since a value that is halfway there may go either way.
 */
function toleranceOf(kind: "output" | "row" | "parameter", dtype: FloatingDtype, item: Case): CompareTolerance {
  const absolute = kind === "parameter" ? 1e-5 : 1e-6;
  if (dtype === "float32") return { relative: 1e-5, absolute };
  const steps = kind === "output" && item.options?.casting === "llama" ? 2 : 1;
  return { steps, absolute };
}

function check(
  what: string,
  kind: "output" | "row" | "parameter",
  result: Tensor,
  exact: Float64Array,
  expected: { shape: readonly number[]; dtype: FloatingDtype },
  item: Case,
): void {
  const { shape, dtype } = expected;
  if (result.dtype !== dtype || result.shape.join() !== shape.join())
    throw new Error(`${what}: expected ${dtype} [${shape}], received ${result}: ${JSON.stringify(item)}`);
  try {
    compare(result.dataSync() as Float32Array, exact, dtype, toleranceOf(kind, dtype, item));
  } catch (error) {
    if (error instanceof ComparisonError) error.message = `${what}, ${error.message}: ${JSON.stringify(item)}`;
    throw error;
  }
}

/** Checks outputs against the reference: types, shapes, values. */
export function checkOutputs(
  subject: Subject,
  item: Case,
  prepared: Prepared,
  outputs: Readonly<Record<string, Tensor>>,
): void {
  const exact = subject.reference.forward(valuesIn(prepared.inputs), prepared.reference);
  const expected = { shape: item.shape, dtype: item.source ?? "float32" };
  for (const name of subject.outputs)
    check(`${subject.name} ${name}`, "output", outputs[name] as Tensor, exact[name] as Float64Array, expected, item);
}

/** Checks gradients against the reference: which there are, types, shapes, values. */
export function checkGradients(
  subject: Subject,
  item: Case,
  prepared: Prepared,
  gradients: Readonly<Record<string, Tensor>>,
  cotangents: Readonly<Record<string, Float64Array>> = valuesIn(prepared.cotangents),
): void {
  const exact = subject.reference.backward(valuesIn(prepared.inputs), cotangents, prepared.reference);
  const names = Object.keys(prepared.inputs);
  if (Object.keys(gradients).sort().join() !== [...names].sort().join())
    throw new Error(`${subject.name}: gradients of ${Object.keys(gradients)}, wanted those of ${names}`);
  for (const name of names) {
    const input = prepared.inputs[name]?.tensor as Tensor<FloatingDtype>;
    const dtype = item.gradientType === "input" ? input.dtype : "float32";
    const kind = subject.rows.includes(name) ? "row" : "parameter";
    const what = `${subject.name} gradient of ${name}`;
    check(what, kind, gradients[name] as Tensor, exact[name] as Float64Array, { shape: input.shape, dtype }, item);
  }
}

/** Runs an operation forward and backward on random values and checks everything that comes out, with guards around it. */
export function prove(subject: Subject, item: Case): void {
  withGuards(() =>
    scope(() => {
      const prepared = prepare(subject, item);
      const { saved, ...outputs } = subject.pair.forward(...prepared.parameters);
      checkOutputs(subject, item, prepared, outputs);
      const cotangents = tensorsIn(prepared.cotangents);
      checkGradients(subject, item, prepared, subject.pair.backward(saved, cotangents));
    }),
  );
}
