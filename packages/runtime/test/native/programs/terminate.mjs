// Six workers, terminated one after another with work in flight, while the main thread works too.
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { device, train } from "./load.mjs";

if (isMainThread) {
  const work = train(30);
  const rounds = Number(process.argv[4]);
  for (let round = 0; round < rounds; round += 1) {
    const workers = Array.from(
      { length: 6 },
      () => new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) }),
    );
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("message", resolve))));
    for (const [index, worker] of workers.entries()) {
      await new Promise((resolve) => setTimeout(resolve, index * 3));
      await worker.terminate();
    }
  }
  await work;
  device.synchronizeSync();
  const { live, storages } = device.memory();
  console.log(JSON.stringify({ live, storages }));
} else {
  parentPort.postMessage("working");
  await train();
}
