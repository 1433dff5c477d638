import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Findings, messageOf } from "../outcome.js";
import type { DeviceCheck } from "../types.js";

/** The built worker: beside the bundle in an installed package, in dist/ for tests of the source. */
const program = new URL(
  import.meta.url.includes("/src/doctor/") ? "../../../dist/doctor-worker.js" : "./doctor-worker.js",
  import.meta.url,
);
const limitMilliseconds = 60_000;

/** What the worker says. */
interface Answer {
  readonly device: string;
  readonly hardware: string;
  readonly values: readonly number[];
}

/** A worker thread opens the same device and computes. */
export const worker: DeviceCheck = {
  name: "worker thread",
  async run(device) {
    const findings = new Findings();
    const thread = new Worker(program, { workerData: { name: device.name }, execArgv: [] });
    try {
      const signal = AbortSignal.timeout(limitMilliseconds);
      // Both from the start: a worker that ends at once gives its last message and its end in one turn.
      const [[answer], [code]] = (await Promise.all([
        once(thread, "message", { signal }),
        once(thread, "exit", { signal }),
      ])) as [[Answer], [number]];
      if (answer.device !== device.name || answer.hardware !== device.info.hardware)
        findings.fail(`it opened ${answer.device} (${answer.hardware})`);
      if (answer.values.join() !== "1,-2,3") findings.fail(`it computed ${answer.values.join()} in place of 1,-2,3`);
      if (code !== 0) findings.fail(`it ended with ${code}`);
    } catch (error) {
      findings.fail(messageOf(error));
    } finally {
      await thread.terminate();
    }
    return findings.outcome("opens the device, computes and ends");
  },
};
