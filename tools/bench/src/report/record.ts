import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { dirname } from "node:path";
import type { Device } from "@metile/runtime";
import type { HostCost } from "../host/host-cost.js";
import type { TimerCounts } from "../timing/gpu-timer.js";
import type { CaseFigures } from "./figures.js";

/** A run as it is written to disk. */
export interface RunRecord {
  /** Of this layout. */
  readonly format: 2;
  /** ISO 8601, UTC: when the run began. */
  readonly date: string;
  readonly seconds: number;
  /** Whether it was stopped before it was done. */
  readonly stopped: boolean;
  readonly machine: {
    readonly platform: string;
    readonly system: string;
    readonly processor: string;
    readonly cores: number;
    readonly memoryBytes: number;
  };
  readonly device: {
    readonly name: string;
    readonly hardware: string;
    readonly level: string;
    readonly threads: number;
    /** Of NVIDIA's, where it could be asked. */
    readonly driver: string | undefined;
  };
  /** Of Node and of each peer that was there. */
  readonly versions: Readonly<Record<string, string>>;
  /** Why a peer was not there, by its name. */
  readonly absent: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
  /** On a GPU: how the timer fared. */
  readonly timer: TimerCounts | undefined;
  readonly cases: readonly CaseFigures[];
  readonly host: readonly HostCost[];
}

/** The machine and the device of a record. */
export function describeMachine(device: Device, driver: string | undefined): Pick<RunRecord, "machine" | "device"> {
  const processors = cpus();
  const { name, hardware, level } = device.info;
  return {
    machine: {
      platform: `${process.platform}-${process.arch}`,
      system: release(),
      processor: processors[0]?.model.trim() ?? "unknown",
      cores: processors.length,
      memoryBytes: totalmem(),
    },
    device: { name, hardware, level, threads: device.threads, driver },
  };
}

/** Writes JSON, and the folders it is to lie in. A reader finds the file before or after, never half of it. */
export function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.part`;
  writeFileSync(beside, `${JSON.stringify(value, undefined, 2)}\n`);
  renameSync(beside, path);
}

/**
 * Reads what a run wrote.
 * @throws Error for a file of another layout
 */
export function readRecord(path: string): RunRecord {
  const record = JSON.parse(readFileSync(path, "utf8")) as RunRecord;
  if (record.format !== 2)
    throw new Error(`${path}: expected results of format 2, received ${JSON.stringify(record.format)}.`);
  return record;
}
