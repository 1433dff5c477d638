// Awaited work in a row while a timer ticks; prints ticks and milliseconds.
import { burn, device } from "./load.mjs";

let ticks = 0;
const timer = setInterval(() => {
  ticks += 1;
}, 100);
const started = performance.now();
const slot = device.allocate(4, false);
while (performance.now() - started < 2000) {
  for (let index = 0; index < 4; index += 1) burn(slot, 20_000_000);
  await device.read(slot, 0, 4, 0);
}
clearInterval(timer);
console.log(JSON.stringify({ ticks, milliseconds: performance.now() - started }));
