import { createHash } from "node:crypto";
import type { Device } from "../device/device.js";
import { device as defaultDevice } from "../device/select.js";
import type { Tensor } from "../tensor/tensor.js";
import { intercept } from "./intercept.js";

function hashSlot(device: Device, slot: number, bytes: number): string {
  const target = new Uint8Array(bytes);
  if (bytes > 0) device.native.readSync(slot, 0, bytes, 0, target);
  return createHash("sha256").update(target).digest("hex");
}

/** A hash of the whole storage under a tensor, gaps between its elements included: whether anything wrote to it. */
export function hashOf(tensor: Tensor): string {
  const { storage } = tensor;
  return hashSlot(storage.device, storage.slot, storage.bytes);
}

/** A hash of tensors' elements, types and shapes, wherever they lie: whether results are the same bits. */
export function hashOfElements(...tensors: readonly Tensor[]): string {
  const hash = createHash("sha256");
  for (const tensor of tensors) {
    hash.update(`${tensor.dtype}[${tensor.shape.join()}]`);
    const half = tensor.dtype === "float16" || tensor.dtype === "bfloat16";
    const { buffer, byteOffset, byteLength } = half ? tensor.bitsSync() : tensor.dataSync();
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest("hex");
}

/** Storages allocated during a run that are still in use, and what they held when {@link watchStorages} was asked. */
export interface StorageWatch {
  /** One hash for each storage that was allocated since the watch began and is in use, in the order of allocation. */
  hashes(): ReadonlyMap<number, string>;
  /** Bytes of those storages. */
  readonly bytes: number;
  stop(): void;
}

/**
 * Notes every storage that is allocated from now on, those of saved values too, so that a test can tell whether later work
 * writes to them.
 */
export function watchStorages(device: Device = defaultDevice()): StorageWatch {
  const slots = new Map<number, number>();
  const stop = intercept(device.native, {
    allocate: (real) => (bytes, zeroed) => {
      const slot = real(bytes, zeroed);
      slots.set(slot, bytes);
      return slot;
    },
    release: (real) => (slot) => {
      slots.delete(slot);
      real(slot);
    },
  });
  return {
    hashes: () => new Map([...slots].map(([slot, bytes]) => [slot, hashSlot(device, slot, bytes)])),
    get bytes() {
      return [...slots.values()].reduce((sum, bytes) => sum + bytes, 0);
    },
    stop,
  };
}

/** Sizes of blocks that {@link dirtyMemory} leaves behind, from the smallest on. */
const smallestBlock = 64;
const blocksOfASize = 4;

/**
 * Leaves memory behind whose bytes are all ones (NaN in every float type, -1 in integers): what is allocated next, and read
 * before it is written, shows.
 *
 * @param bytes - the size of the largest blocks; default 16 MiB
 */
export function dirtyMemory(device: Device = defaultDevice(), bytes = 2 ** 24): void {
  const slots: number[] = [];
  for (let size = smallestBlock; size <= bytes; size *= 2)
    for (let block = 0; block < blocksOfASize; block += 1) {
      const slot = device.native.allocate(size, false);
      device.native.fill(slot, 0, size, 0xff);
      slots.push(slot);
    }
  device.native.synchronizeSync();
  for (const slot of slots) device.native.release(slot);
}

/**
 * Runs a function and throws when it leaves more storages in use than there were, or fewer.
 * @returns what `run` returns; nothing in it may hold storage
 */
export function leavesNothing<Result>(run: () => Result, device: Device = defaultDevice()): Result {
  const before = device.memory.storages;
  const result = run();
  const after = device.memory.storages;
  if (after !== before) throw new Error(`${before} storages were in use before, ${after} afterwards`);
  return result;
}
