import { copyTensor } from "../copy/copy.js";
import { type Dtype, dtypeInfo } from "../dtype/dtype.js";
import { DtypeError, LifetimeError, ShapeError } from "../errors/index.js";
import { asFault } from "../kernel/operations.js";
import type { Tensor } from "./tensor.js";

const conversions: Partial<Record<Dtype, 1 | 2>> = { float16: 1, bfloat16: 2 };

function arrayOf(dtype: Dtype, buffer: ArrayBuffer): Float32Array | Int32Array | Uint32Array | Uint8Array {
  if (dtype === "int32") return new Int32Array(buffer);
  if (dtype === "uint32") return new Uint32Array(buffer);
  return dtype === "bool" ? new Uint8Array(buffer) : new Float32Array(buffer);
}

/** V8's largest ArrayBuffer. */
const mostBytes = 2 ** 33;

function requireLive(operation: string, tensor: Tensor): void {
  if (tensor.disposed)
    throw new LifetimeError({
      operation,
      argument: "this",
      expected: "a live tensor",
      received: "one that was disposed of",
    });
  const bytes = tensor.size * Math.max(4, dtypeInfo(tensor.dtype).bytes);
  if (tensor.dtype !== "bool" && bytes > mostBytes)
    throw new ShapeError({
      operation,
      argument: "this",
      expected: `at most ${mostBytes} bytes, the largest array that JavaScript has`,
      received: `${bytes} bytes`,
      hint: "Read it slice by slice.",
    });
}

function requireBits(operation: string, tensor: Tensor): void {
  if (tensor.dtype !== "float16" && tensor.dtype !== "bfloat16")
    throw new DtypeError({
      operation,
      argument: "this",
      expected: "a float16 or bfloat16 tensor",
      received: tensor.dtype,
    });
}

/** The elements as bytes, in order; `convert` widens half types to float32 on the device's thread. */
async function read(tensor: Tensor, convert: 0 | 1 | 2): Promise<ArrayBuffer> {
  if (tensor.size === 0) return new ArrayBuffer(0);
  const ordered = tensor.isContiguous ? tensor : copyTensor(tensor, tensor.dtype);
  try {
    const { storage, byteOffset, size } = ordered;
    const bytes = size * dtypeInfo(tensor.dtype).bytes;
    return await storage.device.native.read(storage.slot, byteOffset, bytes, convert);
  } catch (error) {
    throw asFault(error);
  } finally {
    if (ordered !== tensor) ordered.dispose();
  }
}

function readSync(tensor: Tensor, convert: 0 | 1 | 2, target: ArrayBufferView): void {
  if (tensor.size === 0) return;
  const ordered = tensor.isContiguous ? tensor : copyTensor(tensor, tensor.dtype);
  try {
    const { storage, byteOffset, size } = ordered;
    storage.device.native.readSync(storage.slot, byteOffset, size * dtypeInfo(tensor.dtype).bytes, convert, target);
  } catch (error) {
    throw asFault(error);
  } finally {
    if (ordered !== tensor) ordered.dispose();
  }
}

export async function readData(tensor: Tensor): Promise<Float32Array | Int32Array | Uint32Array | Uint8Array> {
  requireLive("Tensor.data", tensor);
  return arrayOf(tensor.dtype, await read(tensor, conversions[tensor.dtype] ?? 0));
}

export function readDataSync(tensor: Tensor): Float32Array | Int32Array | Uint32Array | Uint8Array {
  requireLive("Tensor.dataSync", tensor);
  const bytes = tensor.dtype === "bool" ? 1 : 4; // half types widen to float32
  const target = arrayOf(tensor.dtype, new ArrayBuffer(tensor.size * bytes));
  readSync(tensor, conversions[tensor.dtype] ?? 0, target);
  return target;
}

export async function readBits(tensor: Tensor): Promise<Uint16Array> {
  requireLive("Tensor.bits", tensor);
  requireBits("Tensor.bits", tensor);
  return new Uint16Array(await read(tensor, 0));
}

export function readBitsSync(tensor: Tensor): Uint16Array {
  requireLive("Tensor.bitsSync", tensor);
  requireBits("Tensor.bitsSync", tensor);
  const target = new Uint16Array(tensor.size);
  readSync(tensor, 0, target);
  return target;
}
