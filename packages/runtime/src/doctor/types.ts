import type { Device } from "../device/device.js";
import type { Family } from "./families.js";

/** What a report may hold: JSON. */
export type Detail =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Detail[]
  | { readonly [name: string]: Detail };

export type Status = "passed" | "failed" | "skipped";

/** What a check found. */
export interface Outcome {
  readonly status: Status;
  /** One line: what was seen, or why it was skipped. */
  readonly summary: string;
  /** What is wrong, a line or more each. */
  readonly problems: readonly string[];
  /** What is odd and does no harm. */
  readonly warnings: readonly string[];
  /** Facts and figures for the report. */
  readonly details: { readonly [name: string]: Detail };
}

/** A check's outcome with its place and duration. */
export interface Result extends Outcome {
  readonly check: string;
  /** The device that it was about, if it was about one. */
  readonly device?: string;
  readonly seconds: number;
}

/** What the command line asks for. */
export interface DoctorOptions {
  /** Devices that have to be there; empty: every one that is. */
  readonly devices: readonly string[];
  /** float32 alone and one tile: for a stand-in, where a compile takes a while. */
  readonly quick: boolean;
}

/** What checks know of each other. */
export interface Context {
  readonly options: DoctorOptions;
  /** Families are looked for from here. */
  readonly folder: string;
  /** Families that were found, once they were looked for. */
  families: readonly Family[];
  /** Devices that were opened. */
  devices: readonly Device[];
}

/** One thing to look at, of the machine as a whole. */
export interface Check {
  readonly name: string;
  run(context: Context): Outcome | Promise<Outcome>;
}

/** One thing to look at on each device. */
export interface DeviceCheck {
  readonly name: string;
  run(device: Device, context: Context): Outcome | Promise<Outcome>;
}
