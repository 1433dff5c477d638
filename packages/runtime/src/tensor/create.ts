import { copyTensor } from "../copy/copy.js";
import type { Device, DeviceName } from "../device/device.js";
import { resolveDevice } from "../device/select.js";
import { checkDtype, type Dtype, dtypeInfo } from "../dtype/dtype.js";
import { ArgumentError, describePlain } from "../errors/index.js";
import { Storage } from "../storage/storage.js";
import { checkShape, contiguousStrides, sizeOf } from "./geometry.js";
import { checkCount } from "./host.js";
import { isFloat32Array, type NaturalDtype, type TensorValues } from "./nested.js";
import { Tensor } from "./tensor.js";
import { upload, writeValues } from "./write.js";

/** A contiguous tensor with storage of its own; its elements are whatever the memory held, unless `zeroed`. */
export function allocate<D extends Dtype>(
  device: Device,
  shape: readonly number[],
  dtype: D,
  zeroed = false,
): Tensor<D> {
  const storage = new Storage(device, sizeOf(shape) * dtypeInfo(dtype).bytes, zeroed);
  return new Tensor(storage, dtype, { shape, strides: contiguousStrides(shape), offset: 0 });
}

/**
 * A tensor of given values, copied at the call.
 *
 * The type is `dtype`, or what the values are: Float32Array, Float64Array and numbers make float32; Int8Array, Int16Array,
 * Int32Array and bigints (BigInt64Array too, checked for range) int32; Uint32Array uint32; booleans bool. A Uint16Array
 * given for float16 or bfloat16 is bits. Floats are rounded once, to nearest even.
 *
 * @param values - a number, nested arrays, or a typed array in row-major order
 * @param shape - the shape; by default that of the nesting, or [length] for a typed array
 * @param dtype - the element type
 * @param device - the device or its name; by default the best one
 * @throws ShapeError when the number of values is not that of the shape, arrays are ragged, or an integer is out of range
 * @throws DtypeError when the type cannot be told
 * @throws MemoryError when the device has no room
 * @example
 * const x = tensor([[1, 2], [3, 4]], [2, 2], "bfloat16");
 * x.dataSync(); // Float32Array [1, 2, 3, 4]
 */
export function tensor<Values extends TensorValues, D extends Dtype = NaturalDtype<Values>>(
  values: Values,
  shape?: readonly number[] | null,
  dtype?: D,
  device?: Device | DeviceName,
): Tensor<D> {
  if (shape !== undefined && shape !== null) checkShape("tensor", shape);
  const target = resolveDevice("tensor", device);
  const half = dtype === "float16" || dtype === "bfloat16";
  if (!half || !isFloat32Array(values)) return upload("tensor", target, values, shape ?? undefined, dtype) as Tensor<D>;
  const extents = shape ?? [values.length];
  checkCount("tensor", values.length, extents);
  const made = allocate(target, [...extents], dtype as D);
  try {
    writeValues(made, values, "tensor");
  } catch (error) {
    made.dispose();
    throw error;
  }
  return made;
}

/** A tensor of zeros. Memory that is never touched costs nothing. */
export function zeros<D extends Dtype = "float32">(
  shape: readonly number[],
  dtype: D = "float32" as D,
  device?: Device | DeviceName,
): Tensor<D> {
  checkShape("zeros", shape);
  checkDtype("zeros", dtype);
  return allocate(resolveDevice("zeros", device), [...shape], dtype, true);
}

function filled<D extends Dtype>(
  operation: string,
  shape: readonly number[],
  value: number,
  dtype: D,
  device: Device | DeviceName | undefined,
): Tensor<D> {
  checkShape(operation, shape);
  checkDtype(operation, dtype);
  if (typeof value !== "number")
    throw new ArgumentError({ operation, argument: "value", expected: "a number", received: describePlain(value) });
  const one = upload(operation, resolveDevice(operation, device), value, [], dtype) as Tensor<D>;
  const repeated = one.expand(shape);
  try {
    return copyTensor(repeated, dtype);
  } finally {
    repeated.dispose();
    one.dispose();
  }
}

/** A tensor in which every element is `value`, rounded to the type. */
export function full<D extends Dtype = "float32">(
  shape: readonly number[],
  value: number,
  dtype: D = "float32" as D,
  device?: Device | DeviceName,
): Tensor<D> {
  return filled("full", shape, value, dtype, device);
}

/** A tensor of ones. */
export function ones<D extends Dtype = "float32">(
  shape: readonly number[],
  dtype: D = "float32" as D,
  device?: Device | DeviceName,
): Tensor<D> {
  return filled("ones", shape, 1, dtype, device);
}
