import { layerNormReference } from "./layer-norm.js";
import type { Reference } from "./reference.js";
import { addRmsNormReference, rmsNormReference } from "./rms-norm.js";

/** References by the name of the operation, in the order of the table. */
export const references: ReadonlyMap<string, Reference> = new Map([
  ["rmsNorm", rmsNormReference],
  ["layerNorm", layerNormReference],
  ["addRmsNorm", addRmsNormReference],
]);
export type { Exact, Reference, Values } from "./reference.js";
