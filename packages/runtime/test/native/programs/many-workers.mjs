// Eight workers at once, each with its own values, all on the one stream.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { device, halve, train } from "./load.mjs";

if (isMainThread) {
  const results = Array.from({ length: 8 }, (_, index) => {
    const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), workerData: index });
    return new Promise((resolve, reject) => {
      let wrong;
      worker.on("message", (message) => {
        wrong = message;
      });
      worker.on("error", reject);
      worker.on("exit", () => resolve(wrong));
    });
  });
  const wrong = await Promise.all(results);
  const { live, storages } = device.memory();
  console.log(JSON.stringify({ wrong, live, storages }));
} else {
  await train(5);
  let wrong = 0;
  const source = device.allocate(64 * 4096, false);
  const target = device.allocate(64 * 4096, false);
  device.threads = 1 + (workerData % 3);
  for (let round = 0; round < 100; round += 1) {
    const value = workerData * 1000 + round;
    device.write(source, 0, new Float32Array(64 * 1024).fill(value));
    halve(source, target, 64);
    const values = new Float32Array(await device.read(target, 0, 64 * 4096, 0));
    if (!values.every((item) => item === value / 2)) wrong += 1;
  }
  parentPort.postMessage(wrong);
}
