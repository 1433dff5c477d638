import { spawnSync } from "node:child_process";

/** A system compiler as it introduces itself. */
export interface SystemCompiler {
  readonly command: string;
  readonly kind: "clang" | "gcc";
  /** Its whole first line, which tells distribution builds apart. */
  readonly version: string;
}

/** Oldest major versions that know x86-64-v3 and 16-bit floats as the CPU target uses them. */
const OLDEST = { gcc: 11, clang: 14 } as const;

/**
 * Asks a program for its version and tells whether it can compile kernels.
 *
 * @param command - name on the path, or a path
 * @returns the compiler, or the reason why it does not serve
 */
export function probeSystemCompiler(command: string): SystemCompiler | { readonly reason: string } {
  const { error, status, stdout } = spawnSync(command, ["--version"], {
    encoding: "utf8",
    timeout: 20_000,
  });
  if (error !== undefined) {
    return { reason: isMissing(error) ? "not found on the path" : error.message };
  }
  if (status !== 0) return { reason: `--version ended with status ${status}` };
  return identify(command, stdout);
}

/** Reads the banner of `--version`. */
export function identify(command: string, banner: string): SystemCompiler | { readonly reason: string } {
  const version = banner.split("\n", 1)[0]?.trim() ?? "";
  const kind = /\bclang\b/.test(version) ? "clang" : /Free Software/.test(banner) ? "gcc" : null;
  if (kind === null) return { reason: `neither gcc nor clang: ${version || "no version"}` };
  const major = majorVersion(kind, version);
  if (major === null) return { reason: `no version number in: ${version}` };
  if (major < OLDEST[kind]) {
    return { reason: `${kind} ${major} is too old (${OLDEST[kind]} or later is needed)` };
  }
  return { command, kind, version };
}

function majorVersion(kind: "clang" | "gcc", version: string): number | null {
  // gcc's number follows the brackets, in which distributions put the number of their package
  const found = (kind === "clang" ? /version (\d+)\./ : /\)\s+(\d+)\.\d/).exec(version);
  return found?.[1] === undefined ? null : Number(found[1]);
}

function isMissing(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
