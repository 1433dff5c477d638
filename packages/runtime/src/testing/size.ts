import type { Device } from "../device/device.js";
import { device as defaultDevice } from "../device/select.js";

/** Elements of a case from which on it is left out of a small run. */
const largeCase = 2 ** 21;

/**
 * Whether this run leaves out cases of millions of elements: `METILE_TEST_SMALL=1`, or, where that is not set, a device
 * whose kernels are emulated.
 */
export function isSmallRun(device: Device = defaultDevice()): boolean {
  const asked = process.env.METILE_TEST_SMALL;
  return asked === undefined || asked === "" ? device.info.standin : asked !== "0";
}

/**
 * Whether a case that touches so many elements is left out of this run. Skip it by name, never in silence.
 *
 * @example
 * it.skipIf(tooLarge(rows * columns))(`${rows} rows`, () => { … });
 */
export function tooLarge(elements: number, device: Device = defaultDevice()): boolean {
  return elements > largeCase && isSmallRun(device);
}
