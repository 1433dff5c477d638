import { type FloatingDtype, scope, type Tensor } from "@metile/runtime";
import { type CompareTolerance, ComparisonError, compare, withGuards } from "@metile/runtime/testing";
import { type Case, type Prepared, prepare, tensorsIn, valuesIn } from "./case.js";
import type { Subject } from "./subjects.js";

type Kind = "output" | "row" | "parameter";

/**
 * What is asked of a result: the contract's tolerance for its type, with these allowances. A sum over rows has terms of
 * order 1 that cancel: ten times the absolute part. Half types: where float32 terms cancel, float32's absolute part does as
 * well as a step. Behind the inner rounding of casting "llama" one step more, since a value halfway may go either way.
 */
function toleranceOf(subject: Subject, kind: Kind, dtype: FloatingDtype, item: Case): CompareTolerance {
  const { float32: single, [dtype]: own } = subject.pair.contract.tolerances as Record<string, CompareTolerance>;
  const absolute = (single?.absolute as number) * (kind === "parameter" ? 10 : 1);
  if (own?.steps === undefined) return { ...own, absolute };
  return { steps: own.steps + (kind === "output" && item.options?.casting === "llama" ? 1 : 0), absolute };
}

function check(
  subject: Subject,
  what: string,
  kind: Kind,
  result: Tensor,
  exact: Float64Array,
  expected: { shape: readonly number[]; dtype: FloatingDtype },
  item: Case,
): void {
  const { shape, dtype } = expected;
  if (result.dtype !== dtype || result.shape.join() !== shape.join())
    throw new Error(
      `${subject.name} ${what}: expected ${dtype} [${shape}], received ${result}: ${JSON.stringify(item)}`,
    );
  try {
    compare(result.dataSync() as Float32Array, exact, dtype, toleranceOf(subject, kind, dtype, item));
  } catch (error) {
    if (error instanceof ComparisonError)
      error.message = `${subject.name} ${what}, ${error.message}: ${JSON.stringify(item)}`;
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
    check(subject, name, "output", outputs[name] as Tensor, exact[name] as Float64Array, expected, item);
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
    const what = `gradient of ${name}`;
    check(
      subject,
      what,
      kind,
      gradients[name] as Tensor,
      exact[name] as Float64Array,
      { shape: input.shape, dtype },
      item,
    );
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
