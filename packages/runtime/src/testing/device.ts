import type { Device } from "../device/device.js";
import { device as defaultDevice } from "../device/select.js";

/** Lets the next launch fail on the device, as a broken kernel or a lost device would. What depends on it is faulted. */
export function failNextLaunch(message: string, device: Device = defaultDevice()): void {
  device.native.injectFault(message);
}

/** How many launches a function makes. */
export function launchesOf(run: () => void, device: Device = defaultDevice()): number {
  const before = device.counters.launches;
  run();
  return device.counters.launches - before;
}

/** Runs a function with a number of threads of the processor, and sets the device back. A GPU has no use for it. */
export function withThreads<Result>(threads: number, run: () => Result, device: Device = defaultDevice()): Result {
  const before = device.threads;
  device.threads = threads;
  try {
    return run();
  } finally {
    device.threads = before;
  }
}
