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

/** A worker thread opens the same device and computes. */
export const worker: DeviceCheck = {
  name: "worker thread",
  async run(device) {
    const findings = new Findings();
    const thread = new Worker(program, { workerData: { name: device.name }, execArgv: [] });
    try {
      const [answer] = (await once(thread, "message", { signal: AbortSignal.timeout(limitMilliseconds) })) as [
        { device: string; hardware: string; values: number[] },
      ];
      if (answer.device !== device.name || answer.hardware !== device.info.hardware)
        findings.fail(`it opened ${answer.device} (${answer.hardware})`);
      if (answer.values.join() !== "1,-2,3") findings.fail(`it computed ${answer.values.join()} in place of 1,-2,3`);
      const [code] = (await once(thread, "exit", { signal: AbortSignal.timeout(limitMilliseconds) })) as [number];
      if (code !== 0) findings.fail(`it ended with ${code}`);
    } catch (error) {
      findings.fail(messageOf(error));
    } finally {
      await thread.terminate();
    }
    return findings.outcome("opens the device, computes and ends");
  },
};
