import { type Device, zeros } from "@metile/runtime";
import { bytesOf, type Case } from "../measure/case.js";
import type { Peer, Prepared } from "../measure/peer.js";
import { type Timer, WallTimer } from "../timing/timer.js";
import { inputSets } from "./sets.js";

/**
 * The floor: what a plain copy on the same device would take for as many bytes as the case reads and writes. On a CPU the copy
 * moves just so many, half of them each way. On a GPU it copies one of the case's tensors, and its time is scaled: larger copies
 * are faster, and no operation has larger tensors than its own.
 */
export class CopyPeer implements Peer {
  readonly name = "copy";
  readonly #device: Device;
  readonly #bytes: (task: Case) => number;
  readonly #timer: Timer;

  constructor(device: Device, bytes: (task: Case) => number, timer: Timer = new WallTimer(device)) {
    this.#device = device;
    this.#bytes = bytes;
    this.#timer = timer;
  }

  async start(threads: number): Promise<string> {
    this.#device.threads = threads;
    return this.#device.name;
  }

  async prepare(task: Case): Promise<Prepared> {
    const device = this.#device;
    const wanted = this.#bytes(task);
    const moved = device.isGpu ? 2 * task.rows * task.columns * bytesOf(task.dtype) : wanted;
    const words = Math.ceil(moved / 8);
    const pairs = Array.from({ length: inputSets(moved, device.isGpu) }, () => ({
      from: zeros([words], "float32", device),
      to: zeros([words], "float32", device),
    }));
    // Zeroed memory may be one shared page until it is written: a copy of that would be too fast to be true.
    for (const { from, to } of pairs)
      for (const { storage } of [from, to]) device.native.fill(storage.slot, 0, words * 4, 1);
    let turn = 0;
    const queue = (): undefined => {
      const { from, to } = pairs[turn % pairs.length] as (typeof pairs)[number];
      turn += 1;
      device.native.copy(from.storage.slot, 0, to.storage.slot, 0, words * 4);
    };
    return {
      run: async () => (await this.#timer.time(moved, queue)) * (wanted / moved),
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
