import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { dirname } from "node:path";
import type { Device } from "@metile/runtime";
import type { HostCost } from "../host/host-cost.js";
import type { Figures } from "./figures.js";

/** A run as it is written to disk. */
export interface RunRecord {
  /** Of this layout. */
  readonly format: 1;
  /** ISO 8601, UTC. */
  readonly date: string;
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
  };
  /** Of Node and of each peer that was there. */
  readonly versions: Readonly<Record<string, string>>;
  /** Why a peer was not there, by its name. */
  readonly absent: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly cases: readonly Figures[];
  readonly host: readonly HostCost[];
}

/** The machine and the device of a record. */
export function describeMachine(device: Device): Pick<RunRecord, "machine" | "device"> {
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
    device: { name, hardware, level, threads: device.threads },
  };
}

/** Writes a record as JSON, and the folders it is to lie in. */
export function writeRecord(path: string, record: RunRecord): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(record, undefined, 2)}\n`);
}
