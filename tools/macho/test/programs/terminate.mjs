// Workers that are terminated with work in flight, while the main thread works on the same stream.
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { train } from "./work.mjs";

if (isMainThread) {
  const before = await train(2, 9);
  const busy = train(10, 1);
  let terminated = 0;
  for (let round = 0; round < 2; round++) {
    const workers = [0, 1, 2].map(() => new Worker(new URL(import.meta.url)));
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("message", resolve))));
    for (const [index, worker] of workers.entries()) {
      await new Promise((resolve) => setTimeout(resolve, 5 + index * 20));
      await worker.terminate();
      terminated++;
    }
  }
  await busy;
  console.log(JSON.stringify({ terminated, same: before === (await train(2, 9)) }));
} else {
  const endless = train(1_000_000, 5);
  parentPort.postMessage("working");
  await endless;
}
