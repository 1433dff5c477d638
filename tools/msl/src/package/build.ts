import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import {
  BUILDS,
  type Build,
  buildIdentity,
  type Compiler,
  compileLibrary,
  findCompiler,
  hostLevels,
  hostTarget,
  libraryExtension,
  libraryFileName,
} from "@metile/compiler";
import { explainFailure } from "../cpp/diagnostics.js";
import { type LibraryText, writeLibrary } from "../cpp/library.js";
import { writeCuda } from "../cuda/cuda.js";
import { inlineIncludes } from "../preprocess/inline.js";
import { writeBindings } from "./bindings.js";
import { checkBudget, kilobytes, type Spent } from "./budget.js";
import { type CachedLibrary, copyIfChanged, hashOf, hashOfFolder, LibraryCache, writeIfChanged } from "./cache.js";
import { type KernelPackage, readPackage } from "./package.js";

/** Options of {@link buildPackage}. */
export interface BuildOptions {
  /** Folder of the package. */
  readonly folder: string;
  /** Folder of @metile/runtime. @default the one that the package resolves */
  readonly runtime?: string;
  /** Levels to build. @default all that the compiler reaches; the best of the host for a system compiler */
  readonly levels?: readonly string[];
  /** @default findCompiler() */
  readonly compiler?: Compiler;
  /** Takes a line of progress. @default none */
  readonly log?: (line: string) => void;
}

/** What a build made. */
export interface BuildReport {
  readonly kernels: number;
  readonly variants: number;
  /** File names in `cpu/`. */
  readonly libraries: readonly string[];
  /** Those that had to be compiled. */
  readonly compiled: readonly string[];
}

/**
 * Builds a package's kernels: `generated/index.ts`, the texts in `cuda/` and the libraries in `cpu/`. What did not change is not compiled
 * again; outputs that no longer belong are removed.
 *
 * @throws MslError for what is wrong in a kernel, seen by us or by the C++ compiler
 * @throws NoCompilerError when there are kernels and no compiler
 * @throws BudgetError when a library that zig built is too large or took too long; it is there all the same
 *
 * @example
 * ```ts
 * await buildPackage({ folder: "packages/norms" });
 * // { kernels: 5, variants: 38, libraries: ["norms-linux-x64-v3.so", …], compiled: [] }
 * ```
 */
export async function buildPackage(options: BuildOptions): Promise<BuildReport> {
  const log = options.log ?? (() => {});
  const unit = readPackage(options.folder, options.runtime);
  const kernels = unit.files.flatMap((file) => file.kernels);
  if (kernels.length === 0) {
    removeStale(unit, []);
    for (const name of ["generated", "cuda"]) rmSync(join(unit.folder, name), { recursive: true, force: true });
    log(`${unit.family}: no kernels`);
    return { kernels: 0, variants: 0, libraries: [], compiled: [] };
  }
  const bindings = writeIfChanged(join(unit.folder, "generated"), "index.ts", bindingsOf(unit));
  writeCudaTexts(unit);
  const library = writeLibrary(unit.files, unit.loader);
  const count = [
    counted(unit.files.length, "file"),
    counted(kernels.length, "kernel"),
    counted(library.variants.length, "variant"),
  ].join(", ");
  log(`${unit.family}: ${count}${bindings ? "; wrote generated/index.ts" : ""}`);
  const compiler = options.compiler ?? findCompiler();
  const builds = chooseBuilds(compiler, options.levels);
  const builder = new LibraryBuilder(unit, library, compiler, log);
  removeStale(
    unit,
    builds.map((build) => libraryFileName(unit.family, build)),
  );
  await inParallel(builds, (build) => builder.build(build));
  // what packages ship is built by zig; on a machine with another compiler the budget is nobody's fault
  if (compiler.kind === "zig") checkBudget(builder.spent);
  return {
    kernels: kernels.length,
    variants: library.variants.length,
    libraries: builds.map((build) => libraryFileName(unit.family, build)),
    compiled: builder.compiled,
  };
}

function bindingsOf({ family, runtimeModule, files, loader }: KernelPackage): string {
  const sources = files.map(({ source }) => [basename(source.name), inlineIncludes(source, loader)]);
  const kernels = files.flatMap((file) => file.kernels.map((kernel) => ({ ...kernel, file: basename(kernel.file) })));
  return writeBindings({ family, runtime: runtimeModule, sources: Object.fromEntries(sources), kernels });
}

/** The texts as CUDA C++, which the runtime hands to NVRTC behind its prelude: `cuda/<file>.cu`. */
function writeCudaTexts({ folder, files, loader }: KernelPackage): void {
  const target = join(folder, "cuda");
  mkdirSync(target, { recursive: true });
  const wanted = files.map(({ source }) => {
    const name = `${basename(source.name, ".metal")}.cu`;
    writeIfChanged(target, name, writeCuda(inlineIncludes(source, loader), source.name).text);
    return name;
  });
  for (const name of readdirSync(target)) if (!wanted.includes(name)) rmSync(join(target, name), { recursive: true });
}

/** The builds that a compiler can make, restricted to levels: names such as "v3", or "host" for the best of the host. */
export function chooseBuilds(compiler: Compiler, levels?: readonly string[]): Build[] {
  const target = hostTarget();
  const host = hostLevels().at(-1);
  const own = BUILDS.filter((build) => build.target === target && build.level === host);
  if (levels === undefined) {
    if (compiler.kind === "zig") return [...BUILDS];
    if (own.length === 0) throw new Error(`no CPU library is made for ${process.platform}-${process.arch}`);
    return own;
  }
  const unknown = levels.find((level) => level !== "host" && !BUILDS.some((build) => build.level === level));
  if (unknown !== undefined) throw new RangeError(`unknown level ${unknown}; expected v3, v4, arm64 or host`);
  return BUILDS.filter(
    (build) =>
      (compiler.kind === "zig" || build.target === target) &&
      (levels.includes(build.level) || (levels.includes("host") && own.includes(build))),
  );
}

class LibraryBuilder {
  readonly compiled: string[] = [];
  readonly spent: Spent[] = [];
  readonly #unit: KernelPackage;
  readonly #compiler: Compiler;
  readonly #log: (line: string) => void;
  readonly #cache: string;
  readonly #content: string;
  readonly #source: string;

  constructor(unit: KernelPackage, library: LibraryText, compiler: Compiler, log: (line: string) => void) {
    this.#unit = unit;
    this.#compiler = compiler;
    this.#log = log;
    this.#cache = join(unit.folder, "node_modules", ".cache", "metile");
    this.#content = hashOf(library.text, hashOfFolder(unit.target));
    this.#source = `${unit.family}.cpp`; // it stays in the cache, where a curious person finds it
    writeIfChanged(this.#cache, this.#source, library.text);
    mkdirSync(join(unit.folder, "cpu"), { recursive: true });
  }

  async build(build: Build): Promise<void> {
    const name = libraryFileName(this.#unit.family, build);
    const cache = new LibraryCache(this.#cache, libraryExtension(build.target));
    const key = hashOf(this.#content, buildIdentity(this.#compiler, build), name);
    const known = cache.find(key);
    const made = known ?? (await this.#compile(name, cache, key, build));
    this.spent.push({ library: name, bytes: made.bytes, seconds: made.seconds });
    copyIfChanged(made.path, join(this.#unit.folder, "cpu", name));
    const time = known === null ? `${made.seconds.toFixed(1)} s` : "unchanged";
    this.#log(`${this.#unit.family}: cpu/${name} ${kilobytes(made.bytes)}, ${time}`);
  }

  async #compile(name: string, cache: LibraryCache, key: string, build: Build): Promise<CachedLibrary> {
    const { loader, target } = this.#unit;
    const request = { ...build, compiler: this.#compiler, source: join(this.#cache, this.#source) };
    try {
      // under its own name in a folder of its own: a Mach-O library holds its file name
      const folder = join(this.#cache, key);
      const made = await compileLibrary({ ...request, output: join(folder, name), includes: [target] });
      copyIfChanged(made.output, cache.path(key));
      rmSync(folder, { recursive: true });
      cache.record(key, made.processorSeconds);
      this.compiled.push(name);
      return { path: cache.path(key), bytes: made.bytes, seconds: made.processorSeconds };
    } catch (failure) {
      throw explainFailure(failure, loader);
    }
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function removeStale({ folder, family }: KernelPackage, wanted: readonly string[]): void {
  const cpu = join(folder, "cpu");
  let names: string[] = [];
  try {
    names = readdirSync(cpu);
  } catch {
    return; // nothing was built yet
  }
  for (const name of names) {
    if (name.startsWith(`${family}-`) && !wanted.includes(name)) rmSync(join(cpu, name), { recursive: true });
  }
}

/** Runs a job for each item, as many at a time as there are cores. The first failure ends it. */
async function inParallel<Item>(items: readonly Item[], job: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await job(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
