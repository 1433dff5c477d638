import { type Device, type GpuTime, type Tensor, zeros } from "@metile/runtime";
import type { GpuQueue } from "./gpu-timer.js";

/** Batches under way at most: CUDA's host has events for 64, Metal's sends 8 command buffers. */
const inFlight = { cuda: 64, metal: 8 };

/** A stand-in for tests is no faster than a processor. */
const fillerBytes = 256 * 2 ** 20;
const standinBytes = 4096;

/** Microseconds: until a thread that slept has woken up, and until one that did not has looked. */
const waking = 150;
const looking = 20;

function spin(microseconds: number): void {
  const end = performance.now() + microseconds / 1000;
  while (performance.now() < end);
}

/** A device's queue, filled by copies of 256 MiB. */
export class DeviceQueue implements GpuQueue {
  readonly inFlight: number;
  readonly #device: Device;
  readonly #bytes: number;
  readonly #from: Tensor;
  readonly #to: Tensor;

  constructor(device: Device) {
    this.#device = device;
    this.inFlight = device.name === "metal" ? inFlight.metal : inFlight.cuda;
    this.#bytes = device.info.standin ? standinBytes : fillerBytes;
    this.#from = zeros([this.#bytes / 4], "float32", device);
    this.#to = zeros([this.#bytes / 4], "float32", device);
  }

  time(): GpuTime {
    const time = this.#device.gpuTime;
    if (time === undefined) throw new Error(`expected a GPU that tells its time, received ${this.#device.name}`);
    return time;
  }

  fill(): void {
    this.#device.native.copy(this.#from.storage.slot, 0, this.#to.storage.slot, 0, this.#bytes);
  }

  settle(first: boolean): void {
    spin(first ? waking : looking);
  }

  synchronize(): Promise<void> {
    return this.#device.synchronize();
  }

  dispose(): void {
    this.#from.dispose();
    this.#to.dispose();
  }
}
