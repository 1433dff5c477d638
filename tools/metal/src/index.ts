/** Where Metal can be had without a Mac: the stand-in, with kernels run by the emulator. */
import { createRequire } from "node:module";
import { type StandinOptions, standinEnvironment } from "@metile/standin";

const require = createRequire(import.meta.url);

/** Whether the stand-in runs here. */
export const hasStandin = process.platform === "linux";

/** What the stand-in pretends, and how its kernels run. */
export interface MetalOptions extends Omit<StandinOptions, "server"> {
  /** Kernels are watched for races, bounds and divergence: thorough, and many times slower. @default false */
  readonly watched?: boolean;
}

/**
 * The environment in which a process finds Metal, on the stand-in, as its default device.
 *
 * @throws Error when the stand-in was not built
 * @example
 * spawnSync("node", ["program.mjs"], { env: { ...process.env, ...metalEnvironment({ system: "14.0" }) } });
 */
export function metalEnvironment({ watched = false, ...options }: MetalOptions = {}): Record<string, string> {
  const server = [process.execPath, require.resolve("@metile/emulator/server"), ...(watched ? ["--watch"] : [])];
  return standinEnvironment({ ...options, server });
}
