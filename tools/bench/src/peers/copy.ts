import { type Device, zeros } from "@metile/runtime";
import type { Case } from "../measure/case.js";
import type { Peer, Prepared } from "../measure/peer.js";
import { inputSets } from "./sets.js";

/**
 * The floor: a plain copy on the same device that reads and writes as many bytes as the case does, half of them each way.
 * What an operation takes in comparison is its share of the copy bandwidth.
 */
export class CopyPeer implements Peer {
  readonly name = "copy";
  readonly #device: Device;
  readonly #bytes: (task: Case) => number;

  constructor(device: Device, bytes: (task: Case) => number) {
    this.#device = device;
    this.#bytes = bytes;
  }

  async start(threads: number): Promise<string> {
    this.#device.threads = threads;
    return this.#device.name;
  }

  async prepare(task: Case): Promise<Prepared> {
    const device = this.#device;
    const moved = this.#bytes(task);
    const words = Math.ceil(moved / 8);
    const pairs = Array.from({ length: inputSets(moved) }, () => ({
      from: zeros([words], "float32", device),
      to: zeros([words], "float32", device),
    }));
    // Zeroed memory may be one shared page until it is written: a copy of that would be too fast to be true.
    for (const { from, to } of pairs)
      for (const { storage } of [from, to]) device.native.fill(storage.slot, 0, words * 4, 1);
    let turn = 0;
    return {
      async run() {
        const { from, to } = pairs[turn % pairs.length] as (typeof pairs)[number];
        turn += 1;
        const begin = performance.now();
        device.native.copy(from.storage.slot, 0, to.storage.slot, 0, words * 4);
        device.synchronizeSync();
        return performance.now() - begin;
      },
      async release() {
        for (const { from, to } of pairs) {
          from.dispose();
          to.dispose();
        }
        device.synchronizeSync();
        device.trim();
      },
    };
  }

  async stop(): Promise<void> {
    this.#device.synchronizeSync();
  }
}
