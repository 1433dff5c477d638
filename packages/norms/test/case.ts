import type { FloatingDtype, GradientType, Tensor } from "@metile/runtime";
import { sizeOf } from "@metile/runtime/family";
import { layouts, type Placed, Random } from "@metile/runtime/testing";
import type { AnyOptions, Subject } from "./subjects.js";

export type LayoutName = keyof typeof layouts;

/** One call of an operation with random values, everything about it named. */
export interface Case {
  /** Rows and columns, or more leading dimensions. */
  readonly shape: readonly number[];
  /** The type of the source and the residual. Default: float32. */
  readonly source?: FloatingDtype;
  /** The type of weight and bias. Default: that of the source. */
  readonly parameter?: FloatingDtype;
  /** The type of the cotangents. Default: that of the source. */
  readonly cotangent?: FloatingDtype;
  readonly gradientType?: GradientType;
  /** The operation's own options. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** By the name of an input, or of an output for its cotangent with "d" before it. Default: contiguous. */
  readonly layouts?: Readonly<Record<string, LayoutName>>;
  /** Types by such a name, where they are not those above. */
  readonly dtypes?: Readonly<Record<string, FloatingDtype>>;
  /** Optional inputs that are left out. */
  readonly without?: readonly string[];
  readonly seed?: number;
}

const poolSize = 2 ** 20;
let pool: Float64Array | undefined;

/** Random numbers cut from one long sequence; each name and seed begins elsewhere. */
function sample(name: string, seed: number, size: number): Float64Array {
  pool ??= new Random(20).normal(poolSize);
  let start = seed;
  for (const letter of name) start = Math.imul(start, 31) + (letter.codePointAt(0) as number);
  start = new Random(start).integer(poolSize - size);
  return pool.subarray(start, start + size);
}

/** Rows up to this width have values of opposite signs side by side. */
const narrow = 8;

/**
 * Values of a kind that the tensors of norms have. Narrow rows of small or nearly equal values have gradients that float32
 * cannot hold to five digits: their neighbours have opposite signs and keep away from 0.
 */
function valuesOf(name: string, seed: number, shape: readonly number[]): Float64Array {
  const values = sample(name, seed, sizeOf(shape));
  switch (name) {
    case "source":
      if ((shape[shape.length - 1] as number) > narrow) return values.map((value) => 1.5 * value + 0.1);
      return values.map((value, index) => (index % 2 === 0 ? 0.5 + Math.abs(value) : -0.5 - Math.abs(value)));
    case "residual":
      return values.map((value) => 0.1 * value);
    case "weight":
      return values.map((value) => 1 + 0.5 * value);
    case "bias": // small, so that an output near 0 is no difference of large numbers
      return values.map((value) => 0.25 * value);
    default:
      return values;
  }
}

/** A case's tensors with the doubles that they hold. */
export interface Prepared {
  readonly columns: number;
  /** By name; what was left out is absent. */
  readonly inputs: Readonly<Record<string, Placed>>;
  /** By the name of the output. */
  readonly cotangents: Readonly<Record<string, Placed>>;
  /** The parameters of the call: all inputs, undefined for what was left out, and options. */
  readonly parameters: readonly unknown[];
  readonly reference: AnyOptions;
}

/** Makes the tensors of a case. */
export function prepare(subject: Subject, item: Case): Prepared {
  const columns = item.shape[item.shape.length - 1] as number;
  const { source = "float32", seed = 1, options = {} } = item;
  const place = (name: string, kind: string, shape: readonly number[], dtype: FloatingDtype): Placed => {
    const layout = layouts[item.layouts?.[name] ?? "contiguous"];
    return layout(valuesOf(kind, seed, shape), shape, item.dtypes?.[name] ?? dtype);
  };
  const inputs: Record<string, Placed> = {};
  for (const name of subject.rows) inputs[name] = place(name, name, item.shape, source);
  for (const name of subject.parameters)
    if (!item.without?.includes(name)) inputs[name] = place(name, name, [columns], item.parameter ?? source);
  const cotangents: Record<string, Placed> = {};
  for (const name of subject.outputs)
    cotangents[name] = place(`d${name}`, `d${name}`, item.shape, item.cotangent ?? source);
  const epsilon = (options.epsilon as number | undefined) ?? 1e-5;
  return {
    columns,
    inputs,
    cotangents,
    parameters: [
      ...[...subject.rows, ...subject.parameters].map((name) => inputs[name]?.tensor),
      { epsilon, ...options, ...(item.gradientType && { gradientType: item.gradientType }) },
    ],
    reference: { epsilon, ...options, columns, dtype: source },
  };
}

/** The doubles by name. */
export function valuesIn(placed: Readonly<Record<string, Placed>>): Record<string, Float64Array> {
  return Object.fromEntries(Object.entries(placed).map(([name, { values }]) => [name, values]));
}

/** The tensors by name. */
export function tensorsIn(placed: Readonly<Record<string, Placed>>): Record<string, Tensor<FloatingDtype>> {
  return Object.fromEntries(Object.entries(placed).map(([name, { tensor }]) => [name, tensor]));
}
