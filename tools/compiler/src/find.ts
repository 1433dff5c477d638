import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CompilerAttempt, NoCompilerError } from "./errors.js";
import { probeSystemCompiler } from "./system.js";
import { locateZig, shortHash, ZIG_PACKAGE, zigEnvironment } from "./zig.js";

/** zig's clang, which reaches every target, or a system compiler, which reaches its host. */
export type CompilerKind = "zig" | "clang" | "gcc";

/** A compiler that was found and how to call it. */
export interface Compiler {
  readonly kind: CompilerKind;
  /** Program to run. */
  readonly command: string;
  /** Arguments that make the program a C++ compiler: `["c++"]` for zig, none otherwise. */
  readonly prefix: readonly string[];
  readonly version: string;
  /** Variables to add to the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Kind and version in a form fit for a cache key. */
  readonly identity: string;
}

/** Options of {@link findCompiler}. */
export interface FindOptions {
  /**
   * Which kind to take.
   * @default the variable `METILE_COMPILER` ("zig" or "system"), or zig first, then the system's
   */
  readonly prefer?: "zig" | "system";
  /** Where zig keeps its cache. @default node_modules/.cache/metile-zig of the workspace */
  readonly cacheFolder?: string;
  /** Files from which the npm package of zig is resolved before this module and the working folder. */
  readonly resolveFrom?: readonly string[];
  /** Variables that are read. @default process.env */
  readonly environment?: NodeJS.ProcessEnv;
}

const SYSTEM_CANDIDATES = ["c++", "clang++", "g++"];

/**
 * Finds a C++ compiler: zig from npm, else the one named in `METILE_CXX` or `CXX`, else `c++`, `clang++` or `g++`.
 *
 * `METILE_COMPILER=zig` or `system` restricts the search to that kind, and a `METILE_CXX` that does not serve is an
 * error rather than a reason to look further.
 *
 * @throws NoCompilerError with everything that was tried
 *
 * @example
 * ```ts
 * const compiler = findCompiler();
 * compiler.kind; // "zig"
 * ```
 */
export function findCompiler(options: FindOptions = {}): Compiler {
  const environment = options.environment ?? process.env;
  const prefer = options.prefer ?? preference(environment);
  const attempts: CompilerAttempt[] = [];
  const named = environment.METILE_CXX;
  if (prefer !== "system" && !(prefer === undefined && named)) {
    const zig = findZig(options, attempts);
    if (zig !== null) return zig;
  }
  if (prefer !== "zig") {
    const system = findSystem(environment, attempts);
    if (system !== null) return system;
  }
  throw new NoCompilerError(attempts);
}

function preference(environment: NodeJS.ProcessEnv): "zig" | "system" | undefined {
  const value = environment.METILE_COMPILER;
  if (value === undefined || value === "") return undefined;
  if (value === "zig" || value === "system") return value;
  throw new RangeError(`METILE_COMPILER is "${value}"; expected "zig" or "system"`);
}

function findZig(options: FindOptions, attempts: CompilerAttempt[]): Compiler | null {
  const here = fileURLToPath(import.meta.url);
  const found = locateZig([...(options.resolveFrom ?? []), here, join(process.cwd(), "package.json")]);
  if ("reason" in found) {
    attempts.push({ candidate: ZIG_PACKAGE, reason: found.reason });
    return null;
  }
  return {
    kind: "zig",
    command: found.command,
    prefix: ["c++"],
    version: found.version,
    environment: zigEnvironment(dirname(here), options.cacheFolder),
    identity: `zig-${found.version}`,
  };
}

function findSystem(environment: NodeJS.ProcessEnv, attempts: CompilerAttempt[]): Compiler | null {
  const { METILE_CXX, CXX } = environment;
  const candidates = METILE_CXX ? [METILE_CXX] : [...(CXX ? [CXX] : []), ...SYSTEM_CANDIDATES];
  for (const candidate of candidates) {
    const found = probeSystemCompiler(candidate);
    if ("reason" in found) {
      attempts.push({ candidate, reason: found.reason });
      continue;
    }
    return {
      kind: found.kind,
      command: found.command,
      prefix: [],
      version: found.version,
      environment: {},
      identity: `${found.kind}-${shortHash(found.version)}`,
    };
  }
  return null;
}
