import type { Device } from "@metile/runtime";

/** What a call leaves to be given back. */
export interface Left {
  dispose(): void;
}

/** Queues a call on a device and returns at once. */
export type Queue = () => Left | undefined;

/** Times calls on a device. */
export interface Timer {
  /**
   * @param bytes - what a call moves at the least: tells how many calls make one sample
   * @returns milliseconds a call
   */
  time(bytes: number, queue: Queue): Promise<number>;
}

/**
 * From the call until the device has finished. What is left is given back afterwards, as in a training loop, so that the next
 * call gets its memory.
 */
export class WallTimer implements Timer {
  readonly #device: Device;

  constructor(device: Device) {
    this.#device = device;
  }

  async time(_bytes: number, queue: Queue): Promise<number> {
    const begin = performance.now();
    const left = queue();
    this.#device.synchronizeSync();
    const milliseconds = performance.now() - begin;
    left?.dispose();
    return milliseconds;
  }
}
