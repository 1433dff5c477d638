/**
 * An operation in float64: its formula and the gradients of its formula, apart from any kernel. Values are what tensors
 * hold, already rounded to their types; results are exact, and whoever compares them rounds.
 */
export interface ReferencePair<Input extends string, Output extends string, Options> {
  forward(
    inputs: { readonly [Name in Input]?: Float64Array | undefined },
    options: Options,
  ): { [Name in Output]: Float64Array };
  /** Gradients of the inputs that are there; a missing cotangent is zero. */
  backward(
    inputs: { readonly [Name in Input]?: Float64Array | undefined },
    cotangents: { readonly [Name in Output]?: Float64Array | undefined },
    options: Options,
  ): { [Name in Input]?: Float64Array };
}
