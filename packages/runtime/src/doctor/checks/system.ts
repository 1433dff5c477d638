import { availableParallelism, cpus, machine, release, totalmem, type } from "node:os";
import { libc, loadBinding } from "../../native/load.js";
import { version } from "../../version.js";
import { Findings, messageOf } from "../outcome.js";
import type { Check, Detail } from "../types.js";

interface NodeReport {
  readonly header?: { readonly glibcVersionRuntime?: string };
}

/** "glibc 2.36", "musl", or nothing off Linux. */
function describeLibc(): string | undefined {
  const name = libc();
  const report = process.report?.getReport() as NodeReport | undefined;
  return [name, report?.header?.glibcVersionRuntime].filter((part) => part !== undefined).join(" ") || undefined;
}

/** macOS by its own number where the addon tells it, else the kernel's. */
function describeSystem(systemVersion: string | undefined): string {
  return systemVersion === undefined || process.platform !== "darwin"
    ? `${type()} ${release()}`
    : `macOS ${systemVersion}`;
}

/** The machine, Node, and whether the native addon loads. */
export const system: Check = {
  name: "system",
  run() {
    const findings = new Findings();
    let addon: Detail = null;
    let systemVersion: string | undefined;
    try {
      const binding = loadBinding();
      const { brand, cores, levels } = binding.cpu();
      const metal = binding.metal();
      if (metal.available) systemVersion = metal.systemVersion;
      addon = { artefactVersion: binding.artefactVersion, processor: { brand, cores, levels } };
    } catch (error) {
      findings.fail(messageOf(error));
    }
    const facts = {
      platform: process.platform,
      architecture: process.arch,
      machine: machine(),
      system: describeSystem(systemVersion),
      libc: describeLibc() ?? null,
      node: process.version,
      runtime: version,
      processor: cpus()[0]?.model ?? null,
      cores: availableParallelism(),
      memoryBytes: totalmem(),
    };
    const gigabytes = (facts.memoryBytes / 2 ** 30).toFixed(1);
    const parts = [facts.system, facts.libc, `Node ${facts.node}`, `${facts.cores} cores`, `${gigabytes} GiB`];
    return findings.facts(parts.filter((part) => part !== null).join(", "), { ...facts, addon });
  },
};
