import type { Device, Tensor } from "@metile/runtime";
import type { Case } from "../measure/case.js";
import type { Peer, Prepared } from "../measure/peer.js";
import { randomFill } from "../operations/fill.js";
import type { Fill, ForwardPass, Inputs, Operation } from "../operations/operation.js";
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

/**
 * meTile in this process. A run is timed from the call until the device has finished; its results are disposed of
 * afterwards, as in a training loop, so that the next run gets their memory.
 */
export class MetilePeer implements Peer {
  readonly name = "metile";
  readonly #device: Device;
  readonly #operations: (name: string) => Operation;
  readonly #version: string;
  readonly #fill: Fill;

  /**
   * @param operations - finds an operation by the name that a case has
   * @param version - what `start` gives
   * @param fill - values of inputs; standard normal by default
   */
  constructor(device: Device, operations: (name: string) => Operation, version: string, fill: Fill = randomFill(1)) {
    this.#device = device;
    this.#operations = operations;
    this.#version = version;
    this.#fill = fill;
  }

  async start(threads: number): Promise<string> {
    this.#device.threads = threads;
    return this.#version;
  }

  async prepare(task: Case): Promise<Prepared> {
    const device = this.#device;
    const operation = this.#operations(task.operation);
    const first = operation.make(task, this.#fill, device);
    const sets = Array.from({ length: inputSets(operation.bytes(task.pass, task)) }, (_, set) => {
      const inputs = set === 0 ? first : copyOf(first);
      const ahead: ForwardPass | undefined = task.pass === "backward" ? operation.forward(inputs, task) : undefined;
      return { inputs, ahead };
    });
    const queue = (turn: number): { results: Tensor[]; dispose(): void } => {
      const { inputs, ahead } = sets[turn % sets.length] as (typeof sets)[number];
      if (ahead === undefined) {
        const { outputs, saved } = operation.forward(inputs, task);
        const results = Object.values(outputs);
        return { results, dispose: () => disposeAll([...results, saved]) };
      }
      const results = Object.values(ahead.backward());
      return { results, dispose: () => disposeAll(results) };
    };
    const proof = queue(0);
    proof.results.forEach(prove);
    proof.dispose();
    let turn = 0;
    return {
      async run() {
        const begin = performance.now();
        const { dispose } = queue(turn);
        device.synchronizeSync();
        const milliseconds = performance.now() - begin;
        dispose();
        turn += 1;
        return milliseconds;
      },
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
