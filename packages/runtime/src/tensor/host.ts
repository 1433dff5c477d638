import { checkDtype, type Dtype } from "../dtype/dtype.js";
import { toBfloatBits, toHalfBits } from "../dtype/half.js";
import { ArgumentError, DtypeError, describePlain, ShapeError } from "../errors/index.js";
import { describeShape, sizeOf } from "./geometry.js";
import { type Flat, flatten, isHostArray, kindOf, type TensorValues } from "./nested.js";

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
      received: describePlain(values),
    });
  const { flat, shape: own } = isHostArray(values)
    ? { flat: values, shape: [values.length] }
    : flatten(operation, values);
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
  const wrong = values.findIndex(
    (value) => typeof value !== "number" && typeof value !== "bigint" && typeof value !== "boolean",
  );
  if (wrong >= 0)
    throw new ArgumentError({
      operation,
      argument: `values[${wrong}]`,
      expected: "a number, bigint or boolean",
      received: values[wrong] === null ? "null" : typeof values[wrong],
    });
}
