import type { FloatingDtype, GradientType } from "@metile/runtime";

/** Half of a pair. */
export type Pass = "forward" | "backward";

/** The size and types of what an operation works on. */
export interface Shape {
  readonly rows: number;
  readonly columns: number;
  /** The type of inputs, parameters and cotangents. */
  readonly dtype: FloatingDtype;
  /** The type of gradients: "input" is what PyTorch gives, "float32" what meTile gives by default. */
  readonly gradientType: GradientType;
  /**
   * Where half types are rounded. "separate": after each step, as PyTorch does with the unfused formula; "once": at the
   * end, which is meTile's default.
   */
  readonly rounding: "separate" | "once";
}

/** One thing to measure, with every peer. */
export interface Case extends Shape {
  /** The operation's name: "rmsNorm". */
  readonly operation: string;
  readonly pass: Pass;
}

/** Bytes an element. */
export function bytesOf(dtype: FloatingDtype): number {
  return dtype === "float32" ? 4 : 2;
}

/** Bytes an element of the gradient of an input of the shape's type. */
export function gradientBytes({ dtype, gradientType }: Shape): number {
  return gradientType === "float32" ? 4 : bytesOf(dtype);
}

/** The case in a few words: "rmsNorm backward bfloat16". */
export function describeCase({ operation, pass, dtype }: Case): string {
  return `${operation} ${pass} ${dtype}`;
}

/** Every operation in every type, forward and backward, in this order. */
export function casesOf(
  operations: readonly string[],
  dtypes: readonly FloatingDtype[],
  size: Omit<Shape, "dtype">,
): Case[] {
  const passes: readonly Pass[] = ["forward", "backward"];
  return operations.flatMap((operation) =>
    passes.flatMap((pass) => dtypes.map((dtype) => ({ operation, pass, dtype, ...size }))),
  );
}
