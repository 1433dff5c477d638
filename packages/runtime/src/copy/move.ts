import type { Device } from "../device/device.js";
import { type Dtype, dtypeInfo } from "../dtype/dtype.js";
import { asFault } from "../kernel/operations.js";
import { allocate } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { copyTensor } from "./copy.js";

/** Bytes that pass through the host at a time. */
const chunk = 2 ** 26;

/** A contiguous copy on another device, through the host's memory: the same bits. Waits for the tensor to be computed. */
export function moveTensor<D extends Dtype>(source: Tensor<D>, device: Device): Tensor<D> {
  const ordered = source.isContiguous ? source : copyTensor(source, source.dtype);
  try {
    const { storage, byteOffset, size } = ordered;
    const target = allocate(device, [...source.shape], source.dtype);
    try {
      const bytes = size * dtypeInfo(source.dtype).bytes;
      for (let at = 0; at < bytes; at += chunk) {
        const part = new Uint8Array(Math.min(chunk, bytes - at));
        storage.device.native.readSync(storage.slot, byteOffset + at, part.byteLength, 0, part);
        device.native.write(target.storage.slot, at, part);
      }
    } catch (error) {
      target.dispose();
      throw asFault(error);
    }
    return target;
  } finally {
    if (ordered !== source) ordered.dispose();
  }
}
