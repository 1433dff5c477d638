import type { Dtype } from "../dtype/dtype.js";
import type { Tensor } from "../tensor/tensor.js";
import type { PairContract } from "./contract.js";
import type { Saved } from "./saved.js";

/** The type of gradients: float32, or that of the input. */
export type GradientType = "float32" | "input";

/** Options that every pair takes beside its own. */
export interface CommonOptions {
  /**
   * The inputs whose gradients will be asked for; the rest is neither saved nor computed. Asking for one of the rest
   * throws. Default: all differentiable inputs of the call.
   */
  readonly wanted?: readonly string[];
  /** The type of gradients: "float32" (default), or "input" for the type of the input. */
  readonly gradientType?: GradientType;
}

/** Options of a backward pass. */
export interface BackwardOptions {
  /** As in {@link CommonOptions}; at most what the forward pass was asked for. */
  readonly wanted?: readonly string[];
  /** As in {@link CommonOptions}; default: what the forward pass said. */
  readonly gradientType?: GradientType;
}

type IsUnion<Name extends string, All extends string = Name> = Name extends All
  ? [All] extends [Name]
    ? false
    : true
  : never;

/** What a plain call gives: the output, or an object of them where there are several. */
export type CallResult<Output extends string> =
  true extends IsUnion<Output> ? { readonly [Name in Output]: Tensor } : Tensor;

/** Gradients by the names of inputs. Reading one that was not wanted throws. */
export type Gradients<Input extends string> = { readonly [Name in Input]: Tensor };

/** The cotangent of the one output, or cotangents by name: a missing one is zero. */
export type Cotangents<Output extends string> = Tensor | { readonly [Name in Output]?: Tensor | null | undefined };

/** An operation with its gradient. */
export interface Pair<Parameters extends readonly unknown[], Output extends string, Input extends string> {
  /** The operation alone; what a tape records. */
  (...parameters: Parameters): CallResult<Output>;
  /** The outputs, and what backward needs. */
  forward(...parameters: Parameters): { readonly [Name in Output]: Tensor } & { readonly saved: Saved };
  /**
   * The gradients of the sum of outputs times cotangents. May be called again, with other cotangents.
   * @throws LifetimeError when `saved` was disposed of or written to
   * @throws ShapeError, DtypeError when a cotangent does not fit its output
   */
  backward(saved: Saved, cotangents: Cotangents<Output>, options?: BackwardOptions): Gradients<Input>;
  /** What it computes, as data. */
  readonly contract: PairContract;
}

/** What a pair's forward pass gets: checked inputs and complete options. */
export interface ForwardCall<Input extends string, Options> {
  readonly operation: string;
  readonly inputs: { readonly [Name in Input]?: Tensor };
  readonly options: Options;
  /** The inputs whose gradients can be asked for later. */
  readonly wanted: ReadonlySet<string>;
}

/** What a pair's forward pass gives. Every other tensor made in it is disposed of. */
export interface ForwardResult<Output extends string, State> {
  readonly outputs: { readonly [Name in Output]: Tensor };
  /** Tensors that backward needs, by any names: inputs, outputs, or made for it. */
  readonly save: Readonly<Record<string, Tensor | undefined>>;
  /** Numbers and shapes that backward needs. */
  readonly state: State;
}

/** What a pair's backward pass gets: cotangents with the shapes of their outputs, of a floating type. */
export interface BackwardCall<Input extends string, Output extends string, State> {
  readonly operation: string;
  readonly state: State;
  /** A handle to something saved; it is disposed of after the pass. */
  saved(name: string): Tensor | undefined;
  /** The same, for what was certainly saved. */
  require(name: string): Tensor;
  readonly cotangents: { readonly [Name in Output]?: Tensor };
  readonly wanted: ReadonlySet<Input>;
  /** The type of a gradient, for an input of that type. */
  gradientDtype(input: Dtype): Dtype;
}

/** What makes a pair. */
export interface PairImplementation<Output extends string, Input extends string, Options, State> {
  readonly contract: PairContract;
  forward(call: ForwardCall<Input, Options>): ForwardResult<Output, State>;
  /** Gradients of what is wanted. */
  backward(call: BackwardCall<Input, Output, State>): { readonly [Name in Input]?: Tensor };
}
