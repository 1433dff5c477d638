import { DtypeError } from "../errors/index.js";

/** The element types of tensors. `bool` takes one byte an element. */
export type Dtype = "float32" | "float16" | "bfloat16" | "bool" | "int32" | "uint32";

/** The element types with a gradient. */
export type FloatingDtype = "float32" | "float16" | "bfloat16";

/** What `Tensor.data()` gives for each type. */
export interface DataOf {
  float32: Float32Array;
  float16: Float32Array;
  bfloat16: Float32Array;
  bool: Uint8Array;
  int32: Int32Array;
  uint32: Uint32Array;
}

/** Facts of an element type. */
export interface DtypeInfo {
  readonly name: Dtype;
  /** Bytes an element. */
  readonly bytes: number;
  /** The type's name in Metal Shading Language. */
  readonly metal: string;
  /** A small number for tables of kernel variants. */
  readonly code: number;
  readonly floating: boolean;
}

const table: Record<Dtype, DtypeInfo> = {
  float32: { name: "float32", bytes: 4, metal: "float", code: 0, floating: true },
  float16: { name: "float16", bytes: 2, metal: "half", code: 1, floating: true },
  bfloat16: { name: "bfloat16", bytes: 2, metal: "bfloat", code: 2, floating: true },
  int32: { name: "int32", bytes: 4, metal: "int", code: 3, floating: false },
  uint32: { name: "uint32", bytes: 4, metal: "uint", code: 4, floating: false },
  bool: { name: "bool", bytes: 1, metal: "bool", code: 5, floating: false },
};

/** All element types, floating types first. */
export const dtypes = Object.keys(table) as readonly Dtype[];

/** The facts of a type. */
export function dtypeInfo(dtype: Dtype): DtypeInfo {
  return table[dtype];
}

/** Whether a value names an element type. */
export function isDtype(value: unknown): value is Dtype {
  return typeof value === "string" && Object.hasOwn(table, value);
}

/** Throws unless a value names an element type. */
export function checkDtype(operation: string, value: unknown): asserts value is Dtype {
  if (!isDtype(value))
    throw new DtypeError({
      operation,
      argument: "dtype",
      expected: `one of ${dtypes.map((name) => `"${name}"`).join(", ")}`,
      received: typeof value === "string" ? JSON.stringify(value) : String(value),
    });
}

/** Whether tensors of this type can have a gradient. */
export function isFloating(dtype: Dtype): dtype is FloatingDtype {
  return table[dtype].floating;
}
