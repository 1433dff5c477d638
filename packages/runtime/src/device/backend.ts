import type { Device, DeviceName } from "./device.js";

/** One kind of device: whether it is on this machine, and how it is opened. */
export interface Backend {
  readonly name: DeviceName;
  /**
   * Why the device cannot be opened, a sentence without its full stop; undefined when it can.
   *
   * @param byName - somebody asked for this device, rather than for the best one
   */
  missing(byName: boolean): string | undefined;
  /** @param reason - why it was chosen */
  open(reason: string): Device;
}
