import { setImmediate as turn } from "node:timers/promises";
import type { Device } from "@metile/runtime";
import type { Shape } from "../measure/case.js";
import { type Summary, summarize } from "../measure/statistics.js";
import { randomFill } from "../operations/fill.js";
import type { Inputs, Operation } from "../operations/operation.js";

/** What the host spends on one call, in microseconds. */
export interface HostCost {
  readonly operation: string;
  /** What was timed: "enqueue forward", "enqueue backward", "forward + backward + dataSync". */
  readonly what: string;
  readonly microseconds: Summary;
  /** Microseconds that the median must stay below. */
  readonly target: number;
}

/** How host costs are measured. */
export interface HostOptions {
  /** Calls that are timed, of each kind. */
  readonly iterations: number;
  readonly signal?: AbortSignal;
}

/** So small that the device is done before the next call. */
const shape: Shape = { rows: 8, columns: 1024, dtype: "float32", gradientType: "float32", rounding: "once" };

/** Calls before the clock counts: the optimising compiler has seen the path by then. */
const warmups = 2000;

interface Kind {
  readonly what: string;
  readonly target: number;
  /** Does the work once and gives the milliseconds of the part that counts. */
  once(operation: Operation, inputs: Inputs, device: Device): number;
}

function release(...groups: readonly Readonly<Record<string, { dispose(): void }>>[]): void {
  for (const group of groups) for (const item of Object.values(group)) item.dispose();
}

const kinds: readonly Kind[] = [
  {
    what: "enqueue forward",
    target: 10,
    once(operation, inputs, device) {
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
    once(operation, inputs, device) {
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
    once(operation, inputs) {
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
  { iterations, signal }: HostOptions,
): Promise<HostCost[]> {
  const costs: HostCost[] = [];
  for (const operation of operations) {
    const inputs = operation.make(shape, randomFill(2), device);
    for (const { what, target, once } of kinds) {
      const samples: number[] = [];
      for (let call = -Math.min(warmups, iterations); call < iterations; call += 1) {
        if (call % 256 === 0) await turn(); // the event loop runs finalizers and hears Ctrl-C
        if (signal?.aborted) break;
        const milliseconds = once(operation, inputs, device);
        if (call >= 0) samples.push(milliseconds * 1000);
      }
      if (samples.length > 0) costs.push({ operation: operation.name, what, target, microseconds: summarize(samples) });
    }
    release(inputs);
    device.synchronizeSync();
  }
  return costs;
}
