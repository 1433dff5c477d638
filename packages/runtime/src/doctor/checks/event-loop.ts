import { copyInto } from "../../copy/copy.js";
import type { Device } from "../../device/device.js";
import { allocate, zeros } from "../../tensor/create.js";
import { Findings } from "../outcome.js";
import type { DeviceCheck } from "../types.js";

/** Of a square that is turned around, which is slow for its size anywhere: waits are longer than queueing. */
const extent = 1536;
/** Work that lasts so long that a timer of a few milliseconds must fire. */
const enoughMilliseconds = 60;
const timerMilliseconds = 5;
const mostLaunches = 2 ** 12;
/** When to stop trying, where launches are queued no faster than they are done. */
const patienceMilliseconds = 2000;

interface Measured {
  /** From when everything was queued to when it was done. */
  readonly milliseconds: number;
  /** Times that the timer fired meanwhile. */
  readonly ticks: number;
}

/** Queues launches and waits for them, with a timer running. */
async function measure(device: Device, launches: number): Promise<Measured> {
  const source = zeros([extent, extent], "float32", device);
  const turned = source.transpose();
  const target = allocate(device, [extent, extent], "int32");
  let ticks = 0;
  for (let launch = 0; launch < launches; launch += 1) copyInto(turned, target);
  const start = performance.now();
  const timer = setInterval(() => {
    ticks += 1;
  }, timerMilliseconds);
  try {
    await device.synchronize();
    return { milliseconds: performance.now() - start, ticks };
  } finally {
    clearInterval(timer);
    for (const each of [source, turned, target]) each.dispose();
  }
}

/** Timers fire while the device works. */
export const eventLoop: DeviceCheck = {
  name: "event loop",
  async run(device) {
    const findings = new Findings();
    const start = performance.now();
    const goesOn = () => performance.now() - start < patienceMilliseconds;
    let launches = 1;
    let measured = await measure(device, launches);
    while (measured.milliseconds < enoughMilliseconds && launches < mostLaunches && goesOn()) {
      launches *= 4;
      measured = await measure(device, launches);
    }
    const { milliseconds, ticks } = measured;
    // A machine that is busy with other things has late timers: one in all is asked for.
    if (milliseconds >= enoughMilliseconds && ticks === 0)
      findings.fail(`no timer of ${timerMilliseconds} ms fired during ${milliseconds.toFixed(0)} ms of work`);
    return findings.facts(`a timer fired ${ticks} times during ${milliseconds.toFixed(0)} ms of work`, {
      launches,
      milliseconds,
      ticks,
    });
  },
};
