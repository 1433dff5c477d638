import { type FloatingDtype, isFloating } from "../../dtype/dtype.js";
import type { InputContract, PairContract } from "../../pair/contract.js";
import type { Pair } from "../../pair/types.js";
import type { Family } from "../families.js";
import { dimensionsOf } from "./shapes.js";

/** A pair of which nothing is known but its contract. */
export type AnyPair = Pair<readonly unknown[], string, string>;

/** A pair that a family exports. */
export interface ExportedPair {
  readonly family: Family;
  readonly pair: AnyPair;
}

function isPair(value: unknown): value is AnyPair {
  if (typeof value !== "function") return false;
  const { contract, forward, backward } = value as Partial<AnyPair>;
  return typeof contract === "object" && typeof forward === "function" && typeof backward === "function";
}

/** All pairs of families, by the order of their names. */
export function pairsOf(families: readonly Family[]): ExportedPair[] {
  return families.flatMap((family) =>
    Object.values(family.exports)
      .filter(isPair)
      .map((pair) => ({ family, pair })),
  );
}

/** The inputs that random values can be made for: an optional one of another kind is left out. */
export function triedInputs({ inputs }: PairContract): Readonly<Record<string, InputContract>> {
  const floating = Object.entries(inputs).filter(([, { dtypes }]) => dtypes.some(isFloating));
  return Object.fromEntries(floating);
}

/** Why a pair cannot be tried with random values, if it cannot. */
export function whyNot(contract: PairContract): string | undefined {
  for (const [name, { dtypes, optional, shape }] of Object.entries(contract.inputs)) {
    if (!dtypes.some(isFloating)) {
      if (!optional) return `its input ${name} has no floating type`;
    } else if (dimensionsOf(shape) === undefined) return `the shape of its input ${name} is in words: ${shape}`;
  }
  if (!Object.values(triedInputs(contract)).some(({ differentiable }) => differentiable))
    return "none of its inputs has a gradient";
  return undefined;
}

/** The type of an input in a trial of a type: float32 where it does not take that. */
export function dtypeFor({ dtypes }: InputContract, dtype: FloatingDtype): FloatingDtype {
  if (dtypes.includes(dtype)) return dtype;
  return dtypes.includes("float32") ? "float32" : (dtypes.find(isFloating) as FloatingDtype);
}
