import type { Device, Tensor } from "@metile/runtime";
import { allocate } from "@metile/runtime/family";
import type { Case } from "../measure/case.js";
import type { Peer, Prepared } from "../measure/peer.js";
import { randomFill } from "../operations/fill.js";
import type { Fill, ForwardPass, Inputs, Operation } from "../operations/operation.js";
import { type Timer, WallTimer } from "../timing/timer.js";
import { inputSets } from "./sets.js";

interface Disposable {
  dispose(): void;
}

function disposeAll(items: Iterable<Disposable>): void {
  for (const item of items) item.dispose();
}

/** The same values in memory of their own. */
function copyOf(inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([name, tensor]) => [name, tensor.clone()]));
}

/** Reads one element, which throws if the work behind it failed: synchronising alone never does. */
function prove(result: Tensor): void {
  const corner = result.slice(
    result.shape.map(() => 0),
    result.shape.map(() => 1),
  );
  try {
    const [value] = corner.dataSync();
    if (!Number.isFinite(value)) throw new Error(`expected finite results, received ${value}`);
  } finally {
    corner.dispose();
  }
}

/** Bytes above what is held already at the peak of one call. */
function peakOf(device: Device, call: () => Disposable): number {
  device.synchronizeSync();
  const { peak, live } = device.memory;
  // The device tells the largest of all so far. With so much held that this is it, a call shows how much it adds.
  const ballast = peak > live ? allocate(device, [peak - live], "bool") : undefined;
  const before = device.memory.peak;
  call().dispose();
  const added = device.memory.peak - before;
  ballast?.dispose();
  device.synchronizeSync();
  device.trim();
  return added;
}

/**
 * meTile in this process. Results are disposed of as in a training loop, so that the next call gets their memory.
 */
export class MetilePeer implements Peer {
  readonly name = "metile";
  readonly #device: Device;
  readonly #operations: (name: string) => Operation;
  readonly #version: string;
  readonly #fill: Fill;
  readonly #timer: Timer;

  /**
   * @param operations - finds an operation by the name that a case has
   * @param version - what `start` gives
   * @param fill - values of inputs; standard normal by default
   * @param timer - from call to end by default
   */
  constructor(
    device: Device,
    operations: (name: string) => Operation,
    version: string,
    fill: Fill = randomFill(1),
    timer: Timer = new WallTimer(device),
  ) {
    this.#device = device;
    this.#operations = operations;
    this.#version = version;
    this.#timer = timer;
    this.#fill = fill;
  }

  async start(threads: number): Promise<string> {
    this.#device.threads = threads;
    return this.#version;
  }

  async prepare(task: Case): Promise<Prepared> {
    const device = this.#device;
    const operation = this.#operations(task.operation);
    const bytes = operation.bytes(task.pass, task);
    const first = operation.make(task, this.#fill, device);
    const sets = Array.from({ length: inputSets(bytes, device.isGpu) }, (_, set) => {
      const inputs = set === 0 ? first : copyOf(first);
      const ahead: ForwardPass | undefined = task.pass === "backward" ? operation.forward(inputs, task) : undefined;
      return { inputs, ahead };
    });
    const queue = (turn: number): { results: Tensor[]; dispose(): void } => {
      const { inputs, ahead } = sets[turn % sets.length] as (typeof sets)[number];
      if (ahead !== undefined) {
        const results = Object.values(ahead.backward());
        return { results, dispose: () => disposeAll(results) };
      }
      const { outputs, saved, backward } = operation.forward(inputs, task);
      const gradients = task.pass === "forward" ? [] : Object.values(backward());
      const results = [...Object.values(outputs), ...gradients];
      return { results, dispose: () => disposeAll([...results, saved]) };
    };
    const proof = queue(0);
    proof.results.forEach(prove);
    proof.dispose();
    const peakBytes = device.isGpu ? peakOf(device, () => queue(0)) : undefined;
    let turn = 0;
    return {
      ...(peakBytes !== undefined && { peakBytes }),
      run: () =>
        this.#timer.time(bytes, () => {
          turn += 1;
          return queue(turn - 1);
        }),
      async release() {
        for (const { inputs, ahead } of sets) {
          disposeAll(Object.values(inputs));
          if (ahead !== undefined) disposeAll([...Object.values(ahead.outputs), ahead.saved]);
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
