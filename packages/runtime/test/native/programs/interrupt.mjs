// Waits for SIGINT in the middle of work: in JavaScript, blocked in synchronizeSync, or with a handler of the user.
import { burn, device } from "./load.mjs";

const way = process.argv[4];
const slot = device.allocate(4, false);
if (way === "handler") {
  process.on("SIGINT", () => {
    console.log("handler");
    process.exit(5);
  });
}
for (let index = 0; index < 100; index += 1) burn(slot, 200_000_000);
console.log("working");
if (way === "blocked") device.synchronizeSync();
else await device.read(slot, 0, 4, 0);
