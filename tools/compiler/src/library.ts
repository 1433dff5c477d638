import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Compiler } from "./find.js";
import { compileFlags, linkArguments } from "./flags.js";
import { trimMachO } from "./macho/trim.js";
import { type Command, processorSeconds, runCommand, runCommandSync, timed } from "./process.js";
import { type Build, hostTarget, type Target } from "./target.js";

/** What {@link compileLibrary} makes. */
export interface LibraryRequest extends Build {
  readonly compiler: Compiler;
  /** C++ file. */
  readonly source: string;
  /** Library to write; its folder is made, and the file replaced in one step. */
  readonly output: string;
  /** Folders of `#include <…>` and `"…"`. @default none */
  readonly includes?: readonly string[];
  /** Macros. @default none */
  readonly defines?: Readonly<Record<string, string | number>>;
}

/** What a build took. */
export interface LibraryResult {
  readonly output: string;
  /** Time on the clock. */
  readonly seconds: number;
  /** Time that compiler and linker used a processor: the same on a busy machine; 0 where the system does not tell. */
  readonly processorSeconds: number;
  readonly bytes: number;
}

/**
 * Compiles one C++ file to a shared library for a target and level.
 *
 * A library has no dependency but memcpy and memset, and its bytes depend only on source, headers, compiler and flags.
 *
 * @throws CompileError with the compiler's diagnostics
 * @throws RangeError when a system compiler is asked for another target than its host
 *
 * @example
 * ```ts
 * await compileLibrary({
 *   compiler: findCompiler(), source: "norms.cpp", output: "norms.so", target: "linux-x64", level: "v3",
 *   includes: ["packages/runtime/targets/cpu"],
 * }); // { output: "norms.so", bytes: 14320, seconds: 0.6, processorSeconds: 0.5 }
 * ```
 */
export async function compileLibrary(request: LibraryRequest): Promise<LibraryResult> {
  const steps = beginBuild(request);
  try {
    for (const command of steps.commands) steps.note(await runCommand(timed(command)));
    return steps.finish();
  } finally {
    steps.clean();
  }
}

/** As {@link compileLibrary}, holding the thread until the library is there. */
export function compileLibrarySync(request: LibraryRequest): LibraryResult {
  const steps = beginBuild(request);
  try {
    for (const command of steps.commands) steps.note(runCommandSync(timed(command)));
    return steps.finish();
  } finally {
    steps.clean();
  }
}

function beginBuild(request: LibraryRequest) {
  const { compiler, target, output } = request;
  if (compiler.kind !== "zig" && target !== hostTarget()) {
    throw new RangeError(
      `${compiler.command} compiles for ${hostTarget() ?? "this host"} only; zig is needed for ${target}`,
    );
  }
  mkdirSync(dirname(output), { recursive: true });
  // Beside the output, so that the rename is atomic, and under the final name, which a Mach-O signature holds.
  const folder = mkdtempSync(join(dirname(output), ".build-"));
  const object = join(folder, "kernels.o");
  const library = join(folder, basename(output));
  const begun = performance.now();
  let used = 0;
  return {
    commands: libraryCommands(request, object, library),
    note(times: string) {
      used += processorSeconds(times);
    },
    finish(): LibraryResult {
      if (trims(request.compiler, target)) writeFileSync(library, trimMachO(readFileSync(library), basename(output)));
      const bytes = statSync(library).size;
      renameSync(library, output);
      return { output, bytes, seconds: (performance.now() - begun) / 1000, processorSeconds: used };
    },
    clean() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The command lines of a build: compile to `object`, then link to `library`. */
export function libraryCommands(request: LibraryRequest, object: string, library: string): readonly [Command, Command] {
  const { compiler, source, output, target } = request;
  const { command, prefix, kind, environment } = compiler;
  const macros = Object.entries(request.defines ?? {}).map(([name, value]) => `-D${name}=${value}`);
  const folders = (request.includes ?? []).flatMap((folder) => ["-isystem", folder]);
  const flags = [...compileFlags(kind, request), ...folders, ...macros];
  return [
    { line: [command, ...prefix, "-c", ...flags, source, "-o", object], environment },
    { line: [command, ...linkArguments(kind, target, object, library, basename(output))], environment },
  ];
}

/**
 * Everything but source, headers and macros that decides a library's bytes: compiler and flags. For cache keys.
 *
 * @example
 * ```ts
 * createHash("sha256").update(buildIdentity(findCompiler(), { target: "linux-x64", level: "v3" })).update(text);
 * ```
 */
export function buildIdentity(compiler: Compiler, build: Build): string {
  const { kind, identity } = compiler;
  const link = linkArguments(kind, build.target, "object", "library", "name");
  return JSON.stringify([identity, compileFlags(kind, build), link, trims(compiler, build.target) ? "trimmed" : ""]);
}

function trims({ kind }: Compiler, target: Target): boolean {
  return kind === "zig" && target === "darwin-arm64";
}
