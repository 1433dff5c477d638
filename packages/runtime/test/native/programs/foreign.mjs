// A slot of one environment is refused in another.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { device } from "./load.mjs";

if (isMainThread) {
  const slot = device.allocate(64, true);
  const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), workerData: slot });
  console.log(await new Promise((resolve) => worker.once("message", resolve)));
} else {
  const attempts = [
    () => device.release(workerData),
    () => device.readSync(workerData, 0, 4, 0, new Uint8Array(4)),
    () => device.write(workerData, 0, new Uint8Array(4)),
  ];
  const messages = attempts.map((attempt) => {
    try {
      attempt();
      return "accepted";
    } catch (error) {
      return `${error.name}: ${error.message.replace(String(workerData), "N")}`;
    }
  });
  parentPort.postMessage(JSON.stringify(messages));
}
