import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Device } from "../device/device.js";
import { version } from "../version.js";
import { redact } from "./redact.js";
import type { Context, Detail, DoctorOptions, Result, Status } from "./types.js";

/** Where a report goes when nobody says. */
export const defaultReportFile = "metile-report.json";

/** What a device did for the checks. */
export interface DeviceWork {
  readonly launches: number;
  readonly kernels: number;
  /** Of GPUs. */
  readonly gpuSeconds?: number;
  readonly commandBuffers?: number;
}

/** Everything that the doctor found, as a user can send it. */
export interface Report {
  /** Of this object's shape. */
  readonly format: 1;
  /** The time, in UTC. */
  readonly created: string;
  readonly runtime: string;
  readonly options: DoctorOptions;
  /** Variables called METILE_*, and no others. */
  readonly environment: Readonly<Record<string, string>>;
  readonly passed: boolean;
  readonly counts: Readonly<Record<Status | "warnings", number>>;
  readonly seconds: number;
  readonly checks: readonly Result[];
  readonly devices: Readonly<Record<string, DeviceWork>>;
}

function workOf(device: Device): DeviceWork {
  const { launches, kernels } = device.counters;
  const time = device.isGpu ? device.gpuTime : undefined;
  return { launches, kernels, ...(time && { gpuSeconds: time.seconds, commandBuffers: time.commandBuffers }) };
}

function ownVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  const own = Object.entries(environment).filter(([name]) => name.startsWith("METILE_"));
  return Object.fromEntries(own.sort().map(([name, value]) => [name, value ?? ""]));
}

/** Puts results together; no text in it names a folder of the user's. */
export function reportOf(context: Context, results: readonly Result[]): Report {
  const count = (status: Status): number => results.filter((result) => result.status === status).length;
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    warnings: results.reduce((sum, { warnings }) => sum + warnings.length, 0),
  };
  const report: Report = {
    format: 1,
    created: new Date().toISOString(),
    runtime: version,
    options: context.options,
    environment: ownVariables(process.env),
    passed: counts.failed === 0,
    counts,
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
    checks: results,
    devices: Object.fromEntries(context.devices.map((device) => [device.name, workOf(device)])),
  };
  return redact(report as unknown as Detail) as unknown as Report;
}

/** A report as JSON. */
export function asJson(report: Report): string {
  // Infinity and NaN are no JSON; null would hide which of them a comparison met.
  return `${JSON.stringify(report, (_, value: unknown) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value), 2)}\n`;
}

/**
 * Writes a report.
 *
 * @param file - relative to the folder
 * @throws Error of the file system
 */
export function writeReport(report: Report, file: string, folder: string): void {
  writeFileSync(resolve(folder, file), asJson(report));
}
