import type { FloatingDtype, GradientType } from "@metile/runtime";

/** Half of a pair. */
export type Half = "forward" | "backward";

/** What is measured at once: a half, or a forward pass and the backward pass after it. */
export type Pass = Half | "forward+backward";

export const passes: readonly Pass[] = ["forward", "backward", "forward+backward"];

/** The halves of a pass. */
export function halvesOf(pass: Pass): readonly Half[] {
  return pass === "forward+backward" ? ["forward", "backward"] : [pass];
}

/** Rows and columns of a source. */
export interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** The size and types of what an operation works on. */
export interface Shape extends Size {
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
export function gradientBytes({ dtype, gradientType }: Pick<Shape, "dtype" | "gradientType">): number {
  return gradientType === "float32" ? 4 : bytesOf(dtype);
}

/** The case in a few words: "rmsNorm backward bfloat16 8192×4096". */
export function describeCase({ operation, pass, dtype, rows, columns }: Case): string {
  return `${operation} ${pass} ${dtype} ${rows}×${columns}`;
}

/** What is measured of every operation. */
export interface Selection extends Pick<Shape, "gradientType" | "rounding"> {
  readonly operations: readonly string[];
  readonly sizes: readonly Size[];
  readonly passes: readonly Pass[];
  readonly dtypes: readonly FloatingDtype[];
}

/** Every operation at every size in every pass and type, in this order. */
export function casesOf({ operations, sizes, passes, dtypes, gradientType, rounding }: Selection): Case[] {
  return operations.flatMap((operation) =>
    sizes.flatMap(({ rows, columns }) =>
      passes.flatMap((pass) =>
        dtypes.map((dtype) => ({ operation, pass, dtype, rows, columns, gradientType, rounding })),
      ),
    ),
  );
}
