import { parseArgs } from "node:util";
import { asUsageError, UsageError } from "../cli/usage.js";
import { backendOf, backends } from "../device/select.js";
import type { DoctorOptions } from "./types.js";

/** What the command line says, beside what checks need. */
export interface DoctorArguments extends DoctorOptions {
  /** Where the report goes; undefined: to the default file, if something failed. */
  readonly report: string | undefined;
  /** The report as JSON in place of the list. */
  readonly json: boolean;
}

/** Names of devices that can be asked for. */
export function deviceNames(): readonly string[] {
  return backends.map(({ name }) => name);
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        device: { type: "string", multiple: true },
        report: { type: "string" },
        json: { type: "boolean", default: false },
        quick: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw asUsageError(error);
  }
}

/** @throws UsageError */
export function readArguments(parameters: readonly string[]): DoctorArguments {
  const { device: devices = [], report, json, quick } = parse(parameters);
  const names = devices.map((name) => {
    const backend = backendOf(name);
    if (backend === undefined)
      throw new UsageError(`There is no device called '${name}'; devices are ${deviceNames().join(", ")}.`);
    return backend.name;
  });
  if (report === "") throw new UsageError("--report wants the name of a file.");
  return { devices: [...new Set(names)], report, json, quick };
}
