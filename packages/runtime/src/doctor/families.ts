import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Runtime from "../index.js";

/** Families that there are, installed or not. */
export const familyNames = [
  "norms",
  "activations",
  "rope",
  "losses",
  "projections",
  "attention",
  "vjp",
  "parity",
] as const;

/** An installed family. */
export interface Family {
  readonly name: string;
  readonly version: string;
  /** What its entry exports. */
  readonly exports: Readonly<Record<string, unknown>>;
  /** The runtime that it binds to: its tensors are of that copy's class. */
  readonly runtime: typeof Runtime;
  /** The version of that runtime. */
  readonly runtimeVersion: string;
}

/** What looking for a family gave: nothing where it is not installed. */
export type FoundFamily = { readonly family: Family } | { readonly name: string; readonly error: unknown } | undefined;

/** The version in the package.json above a file, without asking its exports. */
function versionAbove(file: string, name: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (!existsSync(path)) continue;
    const manifest = JSON.parse(readFileSync(path, "utf8")) as { name?: string; version?: string };
    if (manifest.name === name) return manifest.version ?? "unknown";
  }
  return "unknown";
}

/**
 * Looks for a family as a program in a folder would find it, and imports it with the runtime that it binds to.
 *
 * @returns undefined where it is not installed
 */
export async function findFamily(name: string, folder: string): Promise<FoundFamily> {
  const specifier = `@metile/${name}`;
  const require = createRequire(pathToFileURL(join(folder, "noname.js")));
  let entry: string;
  try {
    entry = require.resolve(specifier);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    return { name, error };
  }
  try {
    const runtimeEntry = createRequire(pathToFileURL(entry)).resolve("@metile/runtime");
    const exports = (await import(pathToFileURL(entry).href)) as Record<string, unknown>;
    const runtime = (await import(pathToFileURL(runtimeEntry).href)) as typeof Runtime;
    const version = versionAbove(entry, specifier);
    return { family: { name, version, exports, runtime, runtimeVersion: runtime.version } };
  } catch (error) {
    return { name, error };
  }
}
