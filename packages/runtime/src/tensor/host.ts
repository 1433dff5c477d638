import { checkDtype, type Dtype } from "../dtype/dtype.js";
import { toBfloatBits, toHalfBits } from "../dtype/half.js";
import { ArgumentError, DtypeError, ShapeError } from "../errors/index.js";
import { describeShape, sizeOf } from "./geometry.js";

/** A number array of any of JavaScript's typed kinds. */
export type HostArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** Nested arrays of numbers, bigints or booleans; typed arrays may be the innermost level. */
export type Nested = number | bigint | boolean | HostArray | readonly Nested[];

/** What tensors are made of. */
export type TensorValues = Nested;

/** The innermost elements of nested arrays, down to six levels. */
type Leaf<Values, Depth extends readonly unknown[] = [1, 1, 1, 1, 1, 1]> = Values extends HostArray
  ? Values
  : Values extends readonly (infer Item)[]
    ? Depth extends readonly [unknown, ...infer Rest]
      ? Leaf<Item, Rest>
      : number
    : Values;

/** The type that values have when none is named, as far as TypeScript can tell. */
export type NaturalDtype<Values> =
  Leaf<Values> extends Int8Array | Int16Array | Int32Array | BigInt64Array | BigUint64Array | bigint
    ? "int32"
    : Leaf<Values> extends Uint32Array
      ? "uint32"
      : Leaf<Values> extends boolean
        ? "bool"
        : "float32";

type Flat = HostArray | readonly (number | bigint | boolean)[];

/** The kind of a typed array, also of one from another realm (a vm context, a test runner). */
function kindOf(values: unknown): string | undefined {
  return ArrayBuffer.isView(values) && !(values instanceof DataView)
    ? ((values as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? undefined)
    : undefined;
}

function isHostArray(values: unknown): values is HostArray {
  return kindOf(values) !== undefined;
}

/** Whether values are a Float32Array, of any realm. */
export function isFloat32Array(values: unknown): values is Float32Array {
  return kindOf(values) === "Float32Array";
}

function isLevel(node: Nested): node is HostArray | readonly Nested[] {
  return Array.isArray(node) || isHostArray(node);
}

/** Flattens nested arrays and finds their shape; ragged ones are refused. */
function flatten(operation: string, values: Nested): { flat: (number | bigint | boolean)[]; shape: number[] } {
  const shape: number[] = [];
  for (let level: Nested = values; isLevel(level); level = level[0] as Nested) {
    shape.push(level.length);
    if (level.length === 0) break;
  }
  const flat: (number | bigint | boolean)[] = [];
  const visit = (node: Nested, depth: number, path: string): void => {
    const leaf = !isLevel(node);
    if (leaf !== (depth === shape.length) || (!leaf && node.length !== shape[depth]))
      throw new ShapeError({
        operation,
        argument: `values${path}`,
        expected: `nested arrays of one shape, as the first elements have: ${describeShape(shape)}`,
        received: leaf ? String(node) : `an array of ${node.length}`,
      });
    if (leaf) flat.push(node as number | bigint | boolean);
    else for (let index = 0; index < node.length; index += 1) visit(node[index] as Nested, depth + 1, `${path}[${index}]`);
  };
  visit(values, 0, "");
  return { flat, shape };
}

const naturalDtypes: Record<string, Dtype> = {
  Float32Array: "float32",
  Float64Array: "float32",
  Float16Array: "float16",
  Int8Array: "int32",
  Int16Array: "int32",
  Int32Array: "int32",
  BigInt64Array: "int32",
  BigUint64Array: "int32",
  Uint32Array: "uint32",
};

/** The type that values have when none is named: that of the typed array, or of the first element. */
function naturalDtype(operation: string, values: Flat): Dtype {
  const kind = kindOf(values);
  if (kind === undefined) {
    const first = values[0];
    return typeof first === "boolean" ? "bool" : typeof first === "bigint" ? "int32" : "float32";
  }
  const natural = naturalDtypes[kind];
  if (natural !== undefined) return natural;
  throw new DtypeError({
    operation,
    argument: "dtype",
    expected: 'a type, since the values can mean several ("bfloat16" or "float16" bits, "int32", "bool")',
    received: `a ${kind} and no dtype`,
  });
}

const limits = { int32: [-(2 ** 31), 2 ** 31 - 1], uint32: [0, 2 ** 32 - 1], bool: [0, 1] } as const;

/** Whole numbers within the type's range; anything else is refused with its index. */
function integers(operation: string, values: Flat, dtype: "int32" | "uint32" | "bool"): ArrayBufferView {
  const [lowest, highest] = limits[dtype];
  const kind = dtype === "int32" ? Int32Array : dtype === "uint32" ? Uint32Array : Uint8Array;
  const result = new kind(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = Number(values[index]);
    if (!Number.isInteger(value) || value < lowest || value > highest)
      throw new ShapeError({
        operation,
        argument: `values[${index}]`,
        expected: `a whole number from ${lowest} to ${highest} (${dtype})`,
        received: String(values[index]),
      });
    result[index] = value;
  }
  return result;
}

function floats(values: Flat): Float32Array {
  const kind = kindOf(values);
  if (kind === "Float32Array") return values as Float32Array;
  const bigints = kind === "BigInt64Array" || kind === "BigUint64Array";
  if (bigints || (!isHostArray(values) && values.some((value) => typeof value === "bigint")))
    return Float32Array.from(values as ArrayLike<bigint>, Number);
  return new Float32Array(values as ArrayLike<number>); // several times faster than from()
}

function halves(values: Flat, toBits: (value: number) => number): Uint16Array {
  if (kindOf(values) === "Uint16Array") return values as Uint16Array; // bits, by convention
  const result = new Uint16Array(values.length);
  for (let index = 0; index < values.length; index += 1) result[index] = toBits(Number(values[index]));
  return result;
}

function convert(operation: string, values: Flat, dtype: Dtype): ArrayBufferView {
  if (dtype === "float32") return floats(values);
  if (dtype === "float16") return halves(values, toHalfBits);
  if (dtype === "bfloat16") return halves(values, toBfloatBits);
  const kind = kindOf(values);
  if (dtype === "int32" && kind === "Int32Array") return values as Int32Array;
  if (dtype === "uint32" && kind === "Uint32Array") return values as Uint32Array;
  return integers(operation, values, dtype);
}

/** The bytes of host values in a type, with the shape they have; the view may be the caller's own array. */
export function hostBytes(
  operation: string,
  values: TensorValues,
  shape?: readonly number[],
  dtype?: Dtype,
): { bytes: ArrayBufferView; shape: readonly number[]; dtype: Dtype } {
  if (dtype !== undefined) checkDtype(operation, dtype);
  const scalar = typeof values === "number" || typeof values === "bigint" || typeof values === "boolean";
  if (!scalar && !Array.isArray(values) && !isHostArray(values))
    throw new ArgumentError({
      operation,
      argument: "values",
      expected: "a number, a typed array, or nested arrays of numbers",
      received: values === null ? "null" : typeof values,
    });
  const { flat, shape: own } = isHostArray(values) ? { flat: values, shape: [values.length] } : flatten(operation, values);
  const named = dtype ?? naturalDtype(operation, flat);
  const wanted = shape ?? own;
  checkCount(operation, flat.length, wanted);
  checkLeaves(operation, flat);
  return { bytes: convert(operation, flat, named), shape: wanted, dtype: named };
}

/** Throws unless there are as many values as a shape has elements. */
export function checkCount(operation: string, count: number, shape: readonly number[]): void {
  if (sizeOf(shape) !== count)
    throw new ShapeError({
      operation,
      argument: "values",
      expected: `${sizeOf(shape)} values for shape ${describeShape(shape)}`,
      received: `${count}`,
    });
}

function checkLeaves(operation: string, values: Flat): void {
  if (isHostArray(values)) return;
  const wrong = values.findIndex((value) => !["number", "bigint", "boolean"].includes(typeof value));
  if (wrong >= 0)
    throw new ArgumentError({
      operation,
      argument: `values[${wrong}]`,
      expected: "a number, bigint or boolean",
      received: values[wrong] === null ? "null" : typeof values[wrong],
    });
}
