// The addon is loaded in workers alone and outlives them, with work in flight at their end.
import { isMainThread, Worker } from "node:worker_threads";

if (isMainThread) {
  for (let round = 0; round < 4; round += 1) {
    const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) });
    await new Promise((resolve) => worker.once("exit", resolve));
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  console.log("alive");
} else {
  const { burn, device } = await import("./load.mjs");
  const slot = device.allocate(4, false);
  for (let index = 0; index < 40; index += 1) burn(slot, 2_000_000);
  void device.read(slot, 0, 4, 0);
  process.exit(0);
}
