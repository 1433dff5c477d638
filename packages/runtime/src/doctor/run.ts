import type { Device } from "../device/device.js";
import { failed } from "./outcome.js";
import type { Check, Context, DeviceCheck, Outcome, Result } from "./types.js";

/** What there is to look at. */
export interface Checks {
  /** Of the machine, in this order: they find families and open devices. */
  readonly machine: readonly Check[];
  /** Of each device; asked for once the machine's are done. */
  device(context: Context): readonly DeviceCheck[];
}

/** Hears of checks as they run. */
export interface Listener {
  /** The checks of a device begin. */
  device(device: Device): void;
  /** A check begins: whatever ends the process in it, its name was told. */
  begin(check: string): void;
  end(result: Result): void;
}

async function timed(
  check: string,
  device: Device | undefined,
  run: () => Outcome | Promise<Outcome>,
  listener: Listener,
): Promise<Result> {
  listener.begin(check);
  const start = performance.now();
  let outcome: Outcome;
  try {
    outcome = await run();
  } catch (error) {
    outcome = failed(error);
  }
  const seconds = (performance.now() - start) / 1000;
  const result = { check, ...(device && { device: device.name }), seconds, ...outcome };
  listener.end(result);
  return result;
}

/** Runs all checks, one after the other; what one throws is its failure, and the next one runs. */
export async function runChecks(checks: Checks, context: Context, listener: Listener): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of checks.machine)
    results.push(await timed(check.name, undefined, () => check.run(context), listener));
  for (const device of context.devices) {
    listener.device(device);
    for (const check of checks.device(context))
      results.push(await timed(check.name, device, () => check.run(device, context), listener));
  }
  return results;
}
