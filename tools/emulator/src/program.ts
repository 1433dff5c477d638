import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Compiler, findCompiler, runCommand } from "@metile/compiler";
import { hash, hashOfFolder, once } from "./build/files.js";
import { CLANG_WATCHED_FLAGS, COMMON_FLAGS, WATCHED_FLAGS } from "./build/flags.js";
import { MACHINE, TARGET } from "./build/folders.js";

/** What the machine of a program is made of. */
const SOURCES = ["fibers.cpp", "hooks.cpp", "main.cpp", "memory.cpp", "report.cpp", "threads.cpp"];

/** What to compile. */
export interface ProgramRequest {
  /** The kernel's C++. */
  readonly text: string;
  /** The runtime's folder of targets. */
  readonly targets: string;
  readonly compiler?: Compiler | undefined;
  readonly cacheFolder: string;
}

/**
 * Compiles a kernel together with the emulated machine, once for each text, compiler and machine.
 *
 * @returns path of the program
 * @throws CompileError when the kernel is no valid C++
 */
export async function compileProgram(request: ProgramRequest): Promise<string> {
  const { text, targets, cacheFolder } = request;
  const compiler = request.compiler ?? findCompiler();
  const headers = [TARGET, join(targets, "cpu")];
  const own = compiler.kind === "gcc" ? [] : CLANG_WATCHED_FLAGS;
  const flags = [...WATCHED_FLAGS, ...own];
  const key = hash(JSON.stringify([text, flags, identify(compiler, headers)]));
  return once(join(cacheFolder, key), async (output) => {
    const source = `${output}.cpp`;
    const object = `${output}.o`;
    try {
      writeFileSync(source, text);
      const [machine] = await Promise.all([
        compileMachine(compiler, headers, cacheFolder),
        compile(compiler, headers, flags, source, object),
      ]);
      const linker = compiler.kind === "zig" ? ["cc"] : [];
      await run(compiler, [...linker, object, machine, "-o", output]);
    } finally {
      for (const path of [source, object]) rmSync(path, { force: true });
    }
  });
}

/** The emulated machine as one object: it is the same for all kernels. */
function compileMachine(compiler: Compiler, headers: readonly string[], cacheFolder: string): Promise<string> {
  const text = SOURCES.map((name) => readFileSync(join(MACHINE, name), "utf8")).join("\n");
  const key = hash(JSON.stringify([text, identify(compiler, headers)]));
  return once(join(cacheFolder, `machine-${key}`), async (output) => {
    const source = `${output}.cpp`;
    try {
      writeFileSync(source, text);
      const flags = ["-O1", "-DMETILE_WATCHED", "-fno-sanitize=undefined"];
      await compile(compiler, [...headers, MACHINE], flags, source, output);
    } finally {
      rmSync(source, { force: true });
    }
  });
}

function compile(
  compiler: Compiler,
  headers: readonly string[],
  flags: readonly string[],
  source: string,
  object: string,
): Promise<string> {
  const includes = headers.map((path) => `-I${path}`);
  return run(compiler, [...compiler.prefix, "-c", ...COMMON_FLAGS, "-w", ...flags, ...includes, source, "-o", object]);
}

function run({ command, environment }: Compiler, words: readonly string[]): Promise<string> {
  return runCommand({ line: [command, ...words], environment });
}

/** All that a compiled file depends on beside its own text and flags. */
function identify(compiler: Compiler, headers: readonly string[]): string {
  return JSON.stringify([compiler.identity, COMMON_FLAGS, [...headers, MACHINE].map(hashOfFolder)]);
}
