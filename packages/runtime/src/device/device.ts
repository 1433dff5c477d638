import type { Dtype } from "../dtype/dtype.js";
import { DeviceError, describePlain, MemoryError, ShapeError } from "../errors/index.js";
import type { NativeDevice } from "../native/types.js";
import { tensor } from "../tensor/create.js";
import type { NaturalDtype, TensorValues } from "../tensor/nested.js";
import type { Tensor } from "../tensor/tensor.js";

/** Names of devices. */
export type DeviceName = "metal" | "cuda" | `cuda:${number}` | "cpu";

/** What a device says of itself. */
export interface DeviceInfo {
  readonly name: DeviceName;
  /** The processor or GPU, as it names itself. */
  readonly hardware: string;
  /** What kernels run as: an instruction set ("v3", "v4", "arm64"), or a GPU's architecture and language version. */
  readonly level: string;
  /** Why this device was chosen, when `device()` chose it. */
  readonly reason: string;
  /** Whether kernels of bfloat16 run: not on Metal before macOS 14. Tensors of it there are everywhere. */
  readonly bfloat: boolean;
  /** Whether this is a stand-in for tests and no such device. */
  readonly standin: boolean;
}

/** Memory of a device, in bytes, and the number of storages in use. */
export interface MemoryInfo {
  /** Bytes that tensors and saved values hold. */
  readonly live: number;
  /** Bytes that are kept for reuse. */
  readonly cached: number;
  /** The largest `live` so far. */
  readonly peak: number;
  /** Storages that tensors and saved values hold. */
  readonly storages: number;
}

/** Counts of a device since the process began. */
export interface DeviceCounters {
  readonly launches: number;
  readonly completed: number;
  /** Kernel libraries, or texts on a GPU, that were loaded. */
  readonly libraries: number;
  /** Variants of kernels that were loaded, or compiled on a GPU. */
  readonly kernels: number;
}

/** How long a GPU worked for this process. */
export interface GpuTime {
  /** Seconds between start and end of command buffers that are done, added up. */
  readonly seconds: number;
  /** How many those were. */
  readonly commandBuffers: number;
}

/**
 * A device: where tensors live and kernels run. Work is queued in order and runs off the main thread; calls return at once.
 * Got from {@link device}.
 */
export class Device {
  readonly info: DeviceInfo;
  /** The addon's side. For the runtime's own use. */
  readonly native: NativeDevice;
  /** Whether this is a GPU, where a threadgroup has many threads. */
  readonly isGpu: boolean;

  constructor(info: DeviceInfo, native: NativeDevice) {
    this.info = info;
    this.native = native;
    this.isGpu = info.name !== "cpu";
  }

  get name(): DeviceName {
    return this.info.name;
  }

  /**
   * Threads of the processor that a launch may use; the cores of this process by default. Results do not depend on it, bit
   * for bit. A GPU takes the number and has no use for it.
   * @throws ShapeError when set to anything but a whole number from 1 to 1024
   */
  get threads(): number {
    return this.native.threads;
  }

  set threads(count: number) {
    if (!Number.isInteger(count) || count < 1 || count > 1024)
      throw new ShapeError({
        operation: `device("${this.name}")`,
        argument: "threads",
        expected: "a whole number from 1 to 1024",
        received: describePlain(count),
      });
    this.native.threads = count;
  }

  /**
   * Bytes that tensors and cache may take together; the machine's memory by default.
   * @throws ShapeError when set to anything but a whole number above 0
   */
  get memoryLimit(): number {
    return this.native.memoryLimit;
  }

  set memoryLimit(bytes: number) {
    if (!Number.isSafeInteger(bytes) || bytes < 1)
      throw new ShapeError({
        operation: `device("${this.name}")`,
        argument: "memoryLimit",
        expected: "a whole number of bytes above 0",
        received: describePlain(bytes),
      });
    this.native.memoryLimit = bytes;
  }

  /** A tensor of given values on this device: see {@link tensor}. */
  tensor<Values extends TensorValues, D extends Dtype = NaturalDtype<Values>>(
    values: Values,
    shape?: readonly number[] | null,
    dtype?: D,
  ): Tensor<D> {
    return tensor(values, shape, dtype, this);
  }

  /** Bytes in use, cached and at the peak. */
  get memory(): MemoryInfo {
    return this.native.memory();
  }

  /** Launches queued and done, libraries and kernels loaded. */
  get counters(): DeviceCounters {
    return this.native.counters();
  }

  /** What the GPU has spent on this process's work so far; undefined for a CPU. */
  get gpuTime(): GpuTime | undefined {
    return this.isGpu ? this.native.gpuTime?.() : undefined;
  }

  /** Gives cached memory back to the system. */
  trim(): void {
    this.native.trim();
  }

  /** Resolves when everything queued so far is done. Faults belong to tensors: this never rejects. */
  async synchronize(): Promise<void> {
    await this.native.synchronize();
  }

  /** Blocks until everything queued so far is done. */
  synchronizeSync(): void {
    this.native.synchronizeSync();
  }

  toString(): string {
    return this.name;
  }

  /** For storage: a slot of so many bytes. */
  allocate(bytes: number, zeroed: boolean): number {
    // Past any machine's memory the addon need not be asked, nor could such a number reach it.
    if (bytes > 2 ** 52) throw this.#noRoom(bytes, this.memory.live, undefined);
    try {
      return this.native.allocate(bytes, zeroed);
    } catch (cause) {
      const failure = cause as Error & { code?: string; live?: number };
      if (failure.code !== "METILE_MEMORY") throw cause;
      throw this.#noRoom(bytes, failure.live ?? 0, cause);
    }
  }

  #noRoom(requestedBytes: number, liveBytes: number, cause: unknown): MemoryError {
    const limitBytes = this.native.memoryLimit;
    const room = Math.max(0, limitBytes - liveBytes);
    // Within the limit it is the system that has no more, or no piece so large: the addon says which.
    const refused = requestedBytes <= room && cause instanceof Error ? cause.message : undefined;
    return new MemoryError({
      operation: `device("${this.name}")`,
      received: refused ?? `a request for ${requestedBytes} bytes`,
      expected: refused
        ? "memory that the device has to give"
        : `at most ${room} bytes (limit ${limitBytes}, in use ${liveBytes})`,
      hint: "Dispose of tensors that are no longer needed, or work on fewer rows at a time.",
      requestedBytes,
      liveBytes,
      limitBytes,
      cause,
    });
  }

  /** For storage: gives a slot back. */
  release(slot: number, collected: boolean): void {
    this.native.release(slot, collected);
  }
}

/** Throws unless all devices are one. */
export function sameDevice(operation: string, devices: ReadonlyMap<string, Device>): void {
  const [first, ...rest] = devices;
  if (first === undefined) return;
  for (const [argument, device] of rest) {
    if (device !== first[1])
      throw new DeviceError({
        operation,
        argument,
        expected: `a tensor on ${first[1].name}, where ${first[0]} lives`,
        received: `one on ${device.name}`,
        hint: "Move it with tensor.to(device).",
      });
  }
}
