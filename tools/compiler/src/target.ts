import { readFileSync } from "node:fs";

/** Operating system and processor of a library, as Node names them. */
export type Target = "linux-x64" | "linux-arm64" | "darwin-arm64";

/** Instruction set of a library: AVX2, AVX-512, AVX-512 with bfloat16, or the one level of arm64. */
export type Level = "v3" | "v4" | "arm64";

/** A target with one of its levels. */
export interface Build {
  readonly target: Target;
  readonly level: Level;
}

/** Every build of a package, in the order in which they are made. */
export const BUILDS: readonly Build[] = [
  { target: "linux-x64", level: "v3" },
  { target: "linux-x64", level: "v4" },
  { target: "linux-arm64", level: "arm64" },
  { target: "darwin-arm64", level: "arm64" },
];

/** The flags in /proc/cpuinfo that a level needs beyond the level before it. */
const LEVEL_FEATURES: readonly (readonly [Level, readonly string[]])[] = [
  ["v3", ["avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"]],
  ["v4", ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]],
];

/** The target that this process runs on, or null when libraries are not made for it. */
export function hostTarget(): Target | null {
  const host = `${process.platform}-${process.arch}`;
  return BUILDS.some(({ target }) => target === host) ? (host as Target) : null;
}

/**
 * Levels that this machine can execute, best last; empty where none is known to work.
 *
 * @example
 * ```ts
 * hostLevels(); // ["v3", "v4"] on a processor with AVX-512
 * ```
 */
export function hostLevels(): Level[] {
  const target = hostTarget();
  if (target === null) return [];
  if (target !== "linux-x64") return ["arm64"];
  return levelsOfFlags(processorFlags());
}

/** Levels that processor flags, named as in /proc/cpuinfo, allow. */
export function levelsOfFlags(flags: ReadonlySet<string>): Level[] {
  const levels: Level[] = [];
  for (const [level, needed] of LEVEL_FEATURES) {
    if (!needed.every((flag) => flags.has(flag))) break;
    levels.push(level);
  }
  return levels;
}

function processorFlags(): Set<string> {
  try {
    const line = readFileSync("/proc/cpuinfo", "utf8")
      .split("\n")
      .find((text) => text.startsWith("flags"));
    return new Set(line?.slice(line.indexOf(":") + 1).split(" "));
  } catch {
    return new Set(); // no /proc: a sandbox that hides it
  }
}

/** File name of a family's library, `norms-linux-x64-v3.so` or `norms-darwin-arm64.dylib`. */
export function libraryFileName(family: string, { target, level }: Build): string {
  const platform = level === "arm64" ? target : `${target}-${level}`;
  return `${family}-${platform}.${libraryExtension(target)}`;
}

/** Extension of shared libraries on a target, without a dot. */
export function libraryExtension(target: Target): "so" | "dylib" {
  return target === "darwin-arm64" ? "dylib" : "so";
}
