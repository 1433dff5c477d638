import type { FloatingDtype, GradientType, Saved, Tensor } from "@metile/runtime";
import type { PairContract } from "@metile/runtime/family";
import type { ReferencePair } from "@metile/runtime/testing";
import { addRmsNormReference } from "../src/add-rms-norm/add-rms-norm.reference.js";
import { addRmsNorm, layerNorm, rmsNorm } from "../src/index.js";
import { layerNormReference } from "../src/layer-norm/layer-norm.reference.js";
import { rmsNormReference } from "../src/rms-norm/rms-norm.reference.js";

/** A pair without its names, for tables of them. */
export interface AnyPair {
  (...parameters: unknown[]): Tensor | Record<string, Tensor>;
  forward(...parameters: unknown[]): Record<string, Tensor> & { saved: Saved };
  backward(
    saved: Saved,
    cotangents: Tensor | Record<string, Tensor | undefined | null>,
    options?: { wanted?: readonly string[]; gradientType?: GradientType },
  ): Record<string, Tensor>;
  contract: PairContract;
}

/** What any reference of this family depends on. */
export interface AnyOptions {
  readonly columns: number;
  readonly epsilon: number;
  readonly dtype: FloatingDtype;
  readonly [name: string]: unknown;
}

/** An operation of this family with its reference and the roles of its tensors, in the order of the call. */
export interface Subject {
  readonly name: string;
  readonly pair: AnyPair;
  /** Inputs of the source's shape and type. */
  readonly rows: readonly string[];
  /** Inputs of one value a column. */
  readonly parameters: readonly string[];
  readonly outputs: readonly string[];
  readonly reference: ReferencePair<string, string, AnyOptions>;
}

function subject(pair: unknown, reference: unknown, roles: Pick<Subject, "rows" | "parameters" | "outputs">): Subject {
  const any = pair as AnyPair;
  return { name: any.contract.name, pair: any, reference: reference as Subject["reference"], ...roles };
}

export const rmsNormSubject = subject(rmsNorm, rmsNormReference, {
  rows: ["source"],
  parameters: ["weight"],
  outputs: ["output"],
});

export const layerNormSubject = subject(layerNorm, layerNormReference, {
  rows: ["source"],
  parameters: ["weight", "bias"],
  outputs: ["output"],
});

export const addRmsNormSubject = subject(addRmsNorm, addRmsNormReference, {
  rows: ["source", "residual"],
  parameters: ["weight"],
  outputs: ["output", "residual"],
});

export const subjects: readonly Subject[] = [rmsNormSubject, layerNormSubject, addRmsNormSubject];
