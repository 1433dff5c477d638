// Two threads have work for a stream whose thread is only just being started: by one of them, which is slow to note it.
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { device } from "./load.mjs";

const bytes = 1 << 18;
const read = async () => (await device.read(device.allocate(bytes, true), 0, bytes, 0)).byteLength;

if (isMainThread) {
  const started = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), workerData: started });
  const other = new Promise((resolve) => worker.once("message", resolve));
  await new Promise((resolve) => worker.once("online", resolve));
  await new Promise((resolve) => setTimeout(resolve, 300)); // it waits
  Atomics.store(started, 0, 1);
  Atomics.notify(started, 0);
  const mine = await read();
  const late = new Promise((resolve) => setTimeout(() => resolve("never"), 5000));
  console.log(JSON.stringify([mine, await Promise.race([other, late])]));
  process.exit(0);
} else {
  const { parentPort } = await import("node:worker_threads");
  Atomics.wait(workerData, 0, 0);
  await new Promise((resolve) => setTimeout(resolve, 200)); // by then the thread runs, has had nothing to do, and sleeps
  parentPort.postMessage(await read());
}
