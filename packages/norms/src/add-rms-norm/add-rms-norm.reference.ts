import { type ReferencePair, round } from "@metile/runtime/testing";
import { type RmsNormReferenceOptions, rmsNormReference } from "../rms-norm/rms-norm.reference.js";

/** What the formula depends on beside its inputs. */
export interface AddRmsNormReferenceOptions extends RmsNormReferenceOptions {
  /** What is normalised: the exact sum, or the sum rounded to the source's type. */
  readonly sum?: "native" | "rounded";
}

type Input = "source" | "residual" | "weight";

function sumOf(source: Float64Array, residual: Float64Array): Float64Array {
  return source.map((value, index) => value + (residual[index] as number));
}

function normalisedSum(
  source: Float64Array,
  residual: Float64Array,
  { sum, dtype }: AddRmsNormReferenceOptions,
): Float64Array {
  const exact = sumOf(source, residual);
  return sum === "rounded" ? exact.map((value) => round(value, dtype)) : exact;
}

/** Residual addition and RMSNorm in float64. */
export const addRmsNormReference: ReferencePair<Input, "output" | "residual", AddRmsNormReferenceOptions> = {
  forward({ source, residual, weight }, options) {
    const [added, stream] = [source as Float64Array, residual as Float64Array];
    const { output } = rmsNormReference.forward({ source: normalisedSum(added, stream, options), weight }, options);
    return { output, residual: sumOf(added, stream) };
  },

  // What was added reaches the sum alone, so that both addends have its gradient.
  backward({ source, residual, weight }, cotangents, options) {
    const sum = normalisedSum(source as Float64Array, residual as Float64Array, options);
    const through = rmsNormReference.backward({ source: sum, weight }, { output: cotangents.output }, options);
    const direct = cotangents.residual;
    const gradient = (through.source as Float64Array).map((value, index) => value + (direct?.[index] ?? 0));
    return {
      source: gradient,
      residual: Float64Array.from(gradient),
      ...(through.weight && { weight: through.weight }),
    };
  },
};
