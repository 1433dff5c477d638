import type { Dtype } from "../dtype/dtype.js";

/** An input of an operation, as data. */
export interface InputContract {
  /** The shape in words: "(…, columns)". */
  readonly shape: string;
  readonly differentiable: boolean;
  readonly optional?: boolean;
  readonly dtypes: readonly Dtype[];
  /** What it is, in one line. */
  readonly summary: string;
}

/** An option of an operation: its kind, default and bounds. The call checks it by this. */
export type OptionContract =
  | { readonly kind: "number"; readonly default: number; readonly above?: number; readonly summary: string }
  | { readonly kind: "boolean"; readonly default: boolean; readonly summary: string }
  | { readonly kind: "choice"; readonly default: string; readonly choices: readonly string[]; readonly summary: string }
  | { readonly kind: "shape"; readonly default: readonly number[] | undefined; readonly summary: string };

/** How far a result may be from the exact one. */
export type Tolerance =
  /** |result - exact| <= absolute + relative * |exact| */
  | { readonly relative: number; readonly absolute: number }
  /** The exact result rounded once to the type, give or take so many steps of the type. */
  | { readonly steps: number };

/** What an operation computes, as data: read by the call's checks, by tests, docs and parity. */
export interface PairContract {
  /** camelCase, as exported. */
  readonly name: string;
  readonly family: string;
  readonly summary: string;
  /** The forward formula. */
  readonly formula: string;
  /** The gradient of each differentiable input. */
  readonly gradients: Readonly<Record<string, string>>;
  /** Where the formula is from. */
  readonly source: string;
  /** In the order of the call. */
  readonly inputs: Readonly<Record<string, InputContract>>;
  /** The first one is what the plain call returns. */
  readonly outputs: Readonly<Record<string, { readonly shape: string; readonly summary: string }>>;
  readonly options: Readonly<Record<string, OptionContract>>;
  /** Largest extents by name. */
  readonly bounds: Readonly<Record<string, number>>;
  /** "bitwise": the same bits on one device and build, for any number of threads. */
  readonly determinism: "bitwise";
  readonly tolerances: Readonly<Partial<Record<Dtype, Tolerance>>>;
}
