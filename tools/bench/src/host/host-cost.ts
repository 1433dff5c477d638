import { setImmediate as turn } from "node:timers/promises";
import type { Device, FloatingDtype } from "@metile/runtime";
import type { Shape } from "../measure/case.js";
import type { Peer } from "../measure/peer.js";
import { type Summary, summarize } from "../measure/statistics.js";
import { randomFill } from "../operations/fill.js";
import type { Inputs, Operation } from "../operations/operation.js";

/** What the host spends on one call, in microseconds. */
export interface HostCost {
  readonly operation: string;
  /** Whose: "metile" or a peer's name. */
  readonly peer: string;
  /** What was timed: "enqueue forward", "enqueue forward + backward"… */
  readonly what: string;
  readonly microseconds: Summary;
  /** Microseconds that the median must stay below; undefined: not stated. */
  readonly target: number | undefined;
}

/** How host costs are measured. */
export interface HostOptions {
  /** Calls that are timed, of each kind. */
  readonly iterations: number;
  /** The type of inputs; gradients have it too, except on a CPU, where they are float32. */
  readonly dtype?: FloatingDtype;
  readonly signal?: AbortSignal;
}

/** So small that the device is done before the next call. */
const small = { rows: 8, columns: 1024, rounding: "once" } as const;

function shapeOn(device: Device, dtype: FloatingDtype): Shape {
  return { ...small, dtype, gradientType: device.isGpu ? "input" : "float32" };
}

/** Calls before the clock counts: the optimising compiler has seen the path by then. */
const warmups = 2000;

/** Calls in a row that make one sample of a loop that does not wait. */
const inARow = 20;

interface Kind {
  readonly what: string;
  readonly target: number | undefined;
  /** Does the work once and gives the milliseconds of the part that counts. */
  once(operation: Operation, inputs: Inputs, device: Device, shape: Shape): number;
}

function release(...groups: readonly Readonly<Record<string, { dispose(): void }>>[]): void {
  for (const group of groups) for (const item of Object.values(group)) item.dispose();
}

/** A training loop's view: calls follow each other, and nobody waits for the device. */
const loop: Kind = {
  what: "enqueue forward + backward",
  target: 30,
  once(operation, inputs, device, shape) {
    const begin = performance.now();
    for (let call = 0; call < inARow; call += 1) {
      const { outputs, saved, backward } = operation.forward(inputs, shape);
      release(outputs, { saved }, backward());
    }
    const milliseconds = performance.now() - begin;
    device.synchronizeSync();
    return milliseconds / inARow;
  },
};

const kinds: readonly Kind[] = [
  {
    what: "enqueue forward",
    target: 10,
    once(operation, inputs, device, shape) {
      const begin = performance.now();
      const { outputs, saved } = operation.forward(inputs, shape);
      const milliseconds = performance.now() - begin;
      release(outputs, { saved });
      device.synchronizeSync();
      return milliseconds;
    },
  },
  {
    what: "enqueue backward",
    target: 10,
    once(operation, inputs, device, shape) {
      const { outputs, saved, backward } = operation.forward(inputs, shape);
      device.synchronizeSync();
      const begin = performance.now();
      const gradients = backward();
      const milliseconds = performance.now() - begin;
      release(outputs, { saved }, gradients);
      device.synchronizeSync();
      return milliseconds;
    },
  },
  {
    what: "forward + backward + dataSync",
    target: 40,
    once(operation, inputs, _device, shape) {
      const begin = performance.now();
      const { outputs, saved, backward } = operation.forward(inputs, shape);
      const gradients = backward();
      // The last gradient that is queued: all of the work is done when it is read.
      Object.values(gradients).at(-1)?.dataSync();
      const milliseconds = performance.now() - begin;
      release(outputs, { saved }, gradients);
      return milliseconds;
    },
  },
];

/**
 * What calls cost on the host at 8 × 1024, where the device's own work is next to nothing. Synchronising and disposing are
 * not timed.
 *
 * @returns a cost for each operation and kind; those that were stopped before they began are absent
 */
export async function hostCosts(
  operations: readonly Operation[],
  device: Device,
  { iterations, signal, dtype = "float32" }: HostOptions,
): Promise<HostCost[]> {
  const costs: HostCost[] = [];
  const shape = shapeOn(device, dtype);
  for (const operation of operations) {
    const inputs = operation.make(shape, randomFill(2), device);
    // Waiting for a GPU after each call would time how a sleeping thread is woken.
    for (const { what, target, once } of device.isGpu ? [loop] : [...kinds, loop]) {
      const samples: number[] = [];
      const count = once === loop.once ? Math.ceil(iterations / inARow) : iterations;
      for (let call = -Math.min(warmups, count); call < count; call += 1) {
        if (call % 256 === 0) await turn(); // the event loop runs finalizers and hears Ctrl-C
        if (signal?.aborted) break;
        const milliseconds = once(operation, inputs, device, shape);
        if (call >= 0) samples.push(milliseconds * 1000);
      }
      if (samples.length === 0) continue;
      // Stated for float32 on a CPU, where waiting is part of it, and for a GPU's loop.
      const stated = device.isGpu || once !== loop.once ? target : undefined;
      costs.push({
        operation: operation.name,
        peer: "metile",
        what,
        target: stated,
        microseconds: summarize(samples),
      });
    }
    release(inputs);
    device.synchronizeSync();
  }
  return costs;
}

/** The same of peers, for a forward and backward pass in a loop that does not wait. */
export async function peerHostCosts(
  operations: readonly string[],
  peers: readonly Peer[],
  dtype: FloatingDtype,
  signal: AbortSignal,
  failed: (peer: string, message: string) => void,
): Promise<HostCost[]> {
  const costs: HostCost[] = [];
  for (const operation of operations)
    for (const peer of peers) {
      if (signal.aborted || peer.hostCost === undefined) continue;
      try {
        const samples = await peer.hostCost(operation, dtype);
        const microseconds = summarize(samples);
        costs.push({ operation, peer: peer.name, what: loop.what, target: undefined, microseconds });
      } catch (error) {
        failed(peer.name, `${operation}: ${(error as Error).message}`);
      }
    }
  return costs;
}
