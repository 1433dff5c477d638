import { copyInto } from "../copy/copy.js";
import type { Device } from "../device/device.js";
import type { Dtype } from "../dtype/dtype.js";
import { Storage } from "../storage/storage.js";
import { contiguousStrides } from "./geometry.js";
import { hostBytes } from "./host.js";
import { isFloat32Array, type TensorValues } from "./nested.js";
import { Tensor } from "./tensor.js";

/** From this many float32 values on, halves are rounded on the device instead of in JavaScript; the bits are the same. */
const roundOnDevice = 4096;

/** Writes host values over all elements of a contiguous tensor, in the order of the queue. */
export function writeValues(target: Tensor, values: TensorValues, operation = "Tensor.write"): void {
  const { storage, dtype, shape, byteOffset } = target;
  const half = dtype === "float16" || (dtype === "bfloat16" && storage.device.info.bfloat);
  if (half && isFloat32Array(values) && values.length >= roundOnDevice) {
    const exact = upload(operation, storage.device, values, shape, "float32");
    try {
      copyInto(exact, target);
    } finally {
      exact.dispose();
    }
    return;
  }
  const { bytes } = hostBytes(operation, values, shape, dtype);
  if (bytes.byteLength > 0) storage.device.native.write(storage.slot, byteOffset, bytes);
}

/** A new contiguous tensor of host values; by default with the shape and type that they have. */
export function upload(
  operation: string,
  device: Device,
  values: TensorValues,
  wantedShape: readonly number[] | undefined,
  wantedDtype: Dtype | undefined,
): Tensor {
  const { bytes, shape, dtype } = hostBytes(operation, values, wantedShape, wantedDtype);
  const storage = new Storage(device, bytes.byteLength, false);
  const made = new Tensor(storage, dtype, { shape: [...shape], strides: contiguousStrides(shape), offset: 0 });
  try {
    if (bytes.byteLength > 0) device.native.write(storage.slot, 0, bytes);
  } catch (error) {
    made.dispose();
    throw error;
  }
  return made;
}
