// Four workers at once, each with the work of its own seed; the main thread then does the same work alone.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { train } from "./work.mjs";

const steps = 3;
if (isMainThread) {
  const together = await Promise.all(
    [1, 2, 3, 4].map(
      (seed) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: seed });
          worker.on("message", resolve);
          worker.on("error", reject);
        }),
    ),
  );
  const alone = [];
  for (const seed of [1, 2, 3, 4]) alone.push(await train(steps, seed));
  console.log(JSON.stringify({ together, alone }));
} else {
  parentPort.postMessage(await train(steps, workerData));
}
