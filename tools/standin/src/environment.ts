import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the stand-in can run. */
export type StandinTarget = "linux-x64" | "linux-arm64";

/** What the stand-in pretends to be, and which faults it brings about. */
export interface StandinOptions {
  /** Machine of the process that gets the environment. @default this one */
  readonly target?: StandinTarget;
  /** The stand-in's library. @default the one that this package built for the target */
  readonly library?: string;
  /** Command line of the compile server. @default none: texts do not compile */
  readonly server?: readonly string[];
  /** Version of macOS. @default "15.1" */
  readonly system?: string;
  /** Which of the two functions find the device: `MTLCreateSystemDefaultDevice`, `MTLCopyAllDevices`. @default "both" */
  readonly devices?: "both" | "list" | "default" | "none";
  /** Family of the GPU: 7 is M1, 8 is M2, 9 is M3 and M4, 10 is M5. @default 8 */
  readonly family?: number;
  /** Bytes that buffers may take together; beyond them new ones are nil. @default no limit */
  readonly memoryBytes?: number;
  /** `maxBufferLength`. @default 8 GiB */
  readonly maxBufferBytes?: number;
  /** `maxTotalThreadsPerThreadgroup` of pipelines whose kernel or descriptor says nothing. @default 1024 */
  readonly pipelineThreads?: number;
  /** Time that each command buffer takes at least. @default 0 */
  readonly delayMicroseconds?: number;
  /** Order of dispatches that no barrier orders: 0 is the reverse one, any other number shuffles. @default 0 */
  readonly seed?: number;
  /** The n-th command buffer that is committed fails with this `MTLCommandBufferError`. @default none */
  readonly failBuffer?: { readonly number: number; readonly code: number };
  /** Whether a dispatch that Metal would drop in silence ends the program. @default true */
  readonly abortOnDrop?: boolean;
  /** Whether a line at the end of the program tells what is left. @default false */
  readonly leaks?: boolean;
  /** File for the report at the end of the program. @default none */
  readonly report?: string;
  /** File for a line of every message. @default none */
  readonly trace?: string;
}

/**
 * Path of the stand-in's library.
 *
 * @throws Error when it was not built for the target
 */
export function standinLibrary(target: StandinTarget = hostTarget()): string {
  const path = fileURLToPath(new URL(`../dist/native/${target}/libmetile_standin.so`, import.meta.url));
  if (existsSync(path)) return path;
  throw new Error(`The stand-in is not built for ${target}: node scripts/build-native.mjs --target ${target}`);
}

/**
 * The environment in which a process takes the stand-in for Metal, and Metal for the default device.
 *
 * @throws Error when the library was not built for the target
 *
 * @example
 * ```ts
 * spawnSync("node", ["program.mjs"], { env: { ...process.env, ...standinEnvironment({ system: "13.0" }) } });
 * ```
 */
export function standinEnvironment(options: StandinOptions = {}): Record<string, string> {
  const { failBuffer, abortOnDrop = true, leaks = false } = options;
  const switches = {
    METILE_METAL_STANDIN: options.library ?? standinLibrary(options.target),
    METILE_DEVICE: "metal",
    METILE_STANDIN_SERVER: options.server?.join("\n"),
    METILE_STANDIN_MACOS: options.system,
    METILE_STANDIN_DEVICES: options.devices,
    METILE_STANDIN_FAMILY: options.family,
    METILE_STANDIN_MEMORY: options.memoryBytes,
    METILE_STANDIN_MAX_BUFFER: options.maxBufferBytes,
    METILE_STANDIN_PIPELINE_THREADS: options.pipelineThreads,
    METILE_STANDIN_DELAY: options.delayMicroseconds,
    METILE_STANDIN_SEED: options.seed,
    METILE_STANDIN_FAIL_BUFFER: failBuffer && `${failBuffer.number}:${failBuffer.code}`,
    METILE_STANDIN_ABORT: abortOnDrop ? 1 : 0,
    METILE_STANDIN_LEAKS: leaks ? 1 : 0,
    METILE_STANDIN_REPORT: options.report,
    METILE_STANDIN_TRACE: options.trace,
  };
  const given = Object.entries(switches).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function hostTarget(): StandinTarget {
  const host = `${process.platform}-${process.arch}`;
  if (host === "linux-x64" || host === "linux-arm64") return host;
  throw new Error(`The stand-in is for Linux; this is ${host}.`);
}
