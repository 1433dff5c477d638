import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Compiler, findCompiler, runCommand } from "@metile/compiler";

/** Folder of this package, from `src/` and `dist/` alike. */
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

const MACHINE = join(PACKAGE, "runtime");

/**
 * Every access, call and atomic is reported to hooks of our own; the sanitizer's runtime is not linked. Nothing is
 * optimised: two barriers in two branches would become one, and a store in two branches would lose its line.
 */
const KERNEL_FLAGS = [
  "-O0",
  "-fno-sanitize=undefined",
  "-fsanitize=thread,bounds,alignment,integer-divide-by-zero",
  "-fno-strict-aliasing",
  "-gdwarf-4",
];

/** clang leaves out the read of `x += y` unless told otherwise, and zig's ends a program where it may report. */
const CLANG_FLAGS = ["-fno-sanitize-trap=undefined", "-mllvm", "-tsan-instrument-read-before-write=1"];

/** Of the kernel and the machine alike: floating point is as strict as in CPU libraries. */
const COMMON_FLAGS = ["-std=c++17", "-fno-exceptions", "-fno-rtti", "-ffp-contract=off", "-fno-stack-protector", "-w"];

/** What to compile. */
export interface ProgramRequest {
  /** The kernel's C++. */
  readonly text: string;
  readonly macros: Readonly<Record<string, string>>;
  /** The runtime's folder of targets. */
  readonly targets: string;
  readonly compiler?: Compiler | undefined;
  readonly cacheFolder: string;
}

/**
 * Compiles a kernel together with the emulated machine, once for each text, macros, compiler and machine.
 *
 * @returns path of the program
 * @throws CompileError when the kernel is no valid C++
 */
export async function compileProgram(request: ProgramRequest): Promise<string> {
  const { text, macros, targets, cacheFolder } = request;
  const compiler = request.compiler ?? findCompiler();
  const headers = [join(PACKAGE, "target"), join(targets, "cpu")];
  const defines = Object.entries(macros).map(([name, value]) => `-D${name}=${value}`);
  const own = compiler.kind === "gcc" ? [] : CLANG_FLAGS;
  const flags = [...KERNEL_FLAGS, ...own, ...defines];
  const key = hash(JSON.stringify([text, flags, identify(compiler, [...headers, MACHINE])]));
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
  const sources = readdirSync(MACHINE).filter((name) => name.endsWith(".cpp"));
  const text = sources.map((name) => readFileSync(join(MACHINE, name), "utf8")).join("\n");
  const key = hash(JSON.stringify([text, identify(compiler, [...headers, MACHINE])]));
  return once(join(cacheFolder, `machine-${key}`), async (output) => {
    const source = `${output}.cpp`;
    try {
      writeFileSync(source, text);
      await compile(compiler, [...headers, MACHINE], ["-O1", "-fno-sanitize=undefined"], source, output);
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
  return run(compiler, [...compiler.prefix, "-c", ...COMMON_FLAGS, ...flags, ...includes, source, "-o", object]);
}

function run({ command, environment }: Compiler, words: readonly string[]): Promise<string> {
  return runCommand({ line: [command, ...words], environment });
}

/** Makes a file unless it is there. It appears all at once, so that several may ask for it at the same time. */
async function once(path: string, make: (temporary: string) => Promise<unknown>): Promise<string> {
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  try {
    await make(temporary);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  return path;
}

/** All that a compiled file depends on beside its own text and flags. */
function identify(compiler: Compiler, folders: readonly string[]): string {
  return JSON.stringify([compiler.identity, COMMON_FLAGS, folders.map(hashOfFolder)]);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

const hashes = new Map<string, string>();

/** Of the names and texts of all files below a folder; read once a process. */
function hashOfFolder(folder: string): string {
  const known = hashes.get(folder);
  if (known !== undefined) return known;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, readFileSync(path, "utf8")];
  });
  const made = hash(JSON.stringify(texts.sort()));
  hashes.set(folder, made);
  return made;
}

/** Where programs are kept: `node_modules/.cache/metile-emulator` of this package. */
export const DEFAULT_CACHE = join(PACKAGE, "node_modules", ".cache", "metile-emulator");
