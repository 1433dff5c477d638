import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildIdentity,
  type Compiler,
  compileLibrary,
  compileLibrarySync,
  findCompiler,
  hostLevels,
  hostTarget,
  type Level,
  type LibraryRequest,
  libraryExtension,
} from "@metile/compiler";
import { explainFailure } from "../cpp/diagnostics.js";
import { ARTEFACT_VERSION, writeLibrary } from "../cpp/library.js";
import type { Variant } from "../cpp/variant.js";
import { type KernelFile, readKernelFile } from "../kernel/file.js";
import type { KernelReflection } from "../kernel/reflection.js";
import type { MacroValues } from "../kernel/typemacro.js";
import { hashOf, hashOfFolder } from "../package/cache.js";
import { SourceLoader } from "../preprocess/include.js";
import { inlineIncludes } from "../preprocess/inline.js";
import { MslError } from "../text/error.js";
import { Source } from "../text/source.js";
import { defaultCacheFolder, makePrivateFolder } from "./folder.js";

/** What {@link compileAtRuntime} compiles. */
export interface RuntimeRequest {
  /** Metal source; it may include shared headers as "metile/…". */
  readonly text: string;
  /** Name of the text in messages: "silu.metal". */
  readonly fileName: string;
  /** Folder of shared headers: the one that contains `metile/`. */
  readonly headers: string;
  /** Folder of targets: the one that contains `cpu/metal_stdlib`. */
  readonly targets: string;
  /** @default `METILE_CACHE`, or `.cache/metile` in the home folder */
  readonly cacheFolder?: string;
  /**
   * Values of type macros: a variant is compiled when it agrees with one of them. A macro that is not named agrees.
   * @default all variants
   */
  readonly variants?: readonly MacroValues[];
  /** Instruction set. @default the best of this machine */
  readonly level?: Level;
  /** @default findCompiler() */
  readonly compiler?: Compiler;
}

/** A library of kernels that were compiled on this machine. */
export interface RuntimeLibrary {
  /** The library to load. */
  readonly path: string;
  readonly reflections: readonly KernelReflection[];
  /** The variants in the library and the names of their entries. */
  readonly variants: readonly Variant[];
  /** The text without includes, for targets that compile it themselves. */
  readonly text: string;
}

/**
 * Compiles Metal source for this machine's CPU, or finds the library that an earlier call or process made.
 *
 * @throws MslError for what is wrong in the text, seen by us or by the C++ compiler
 * @throws NoCompilerError when this machine has no C++ compiler; its message says what to install
 *
 * @example
 * ```ts
 * const { path, variants } = await compileAtRuntime({
 *   text, fileName: "silu.metal", headers: "node_modules/@metile/runtime/msl",
 *   targets: "node_modules/@metile/runtime/targets", variants: [{ STORAGE: "bfloat" }],
 * });
 * variants[0]?.entry; // "silu__bfloat"
 * ```
 */
export async function compileAtRuntime(request: RuntimeRequest): Promise<RuntimeLibrary> {
  const plan = planCompilation(request);
  if (plan.request !== null) {
    try {
      await compileLibrary(plan.request);
    } catch (failure) {
      throw explainFailure(failure, plan.loader);
    } finally {
      plan.clean();
    }
  }
  return plan.library;
}

/** As {@link compileAtRuntime}, holding the thread until the library is there. */
export function compileAtRuntimeSync(request: RuntimeRequest): RuntimeLibrary {
  const plan = planCompilation(request);
  if (plan.request !== null) {
    try {
      compileLibrarySync(plan.request);
    } catch (failure) {
      throw explainFailure(failure, plan.loader);
    } finally {
      plan.clean();
    }
  }
  return plan.library;
}

/** Everything but running the compiler; `request` is null when the library is there. */
function planCompilation(options: RuntimeRequest) {
  const target = hostTarget();
  const level = options.level ?? hostLevels().at(-1);
  if (target === null || level === undefined) {
    throw new Error(`no CPU kernels are made for ${process.platform}-${process.arch} with this processor`);
  }
  const loader = new SourceLoader(options.headers);
  const file = readKernelFile(loader.add(new Source(options.fileName, options.text)), loader);
  const { text, variants } = writeLibrary([file], loader, (variant) => isWanted(variant, options.variants));
  refuseNothing(file, variants, options);
  const compiler = options.compiler ?? findCompiler();
  const folder = options.cacheFolder ?? defaultCacheFolder();
  makePrivateFolder(folder);
  const cpu = join(options.targets, "cpu");
  const identity = buildIdentity(compiler, { target, level });
  const key = hashOf(text, hashOfFolder(cpu), identity, String(ARTEFACT_VERSION));
  const output = join(folder, `${key}.${libraryExtension(target)}`);
  const library: RuntimeLibrary = {
    path: output,
    reflections: file.kernels,
    variants,
    text: inlineIncludes(file.source, loader),
  };
  if (existsSync(output)) return { library, loader, request: null, clean: () => {} };
  const sources = mkdtempSync(join(folder, ".source-"));
  const source = join(sources, "kernels.cpp");
  writeFileSync(source, text);
  const request: LibraryRequest = { compiler, target, level, source, output, includes: [cpu] };
  return { library, loader, request, clean: () => rmSync(sources, { recursive: true, force: true }) };
}

function isWanted({ macros }: Variant, wanted: readonly MacroValues[] | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted.some((values) =>
    Object.entries(macros).every(([name, value]) => values[name] === undefined || values[name] === value),
  );
}

function refuseNothing(
  { source }: KernelFile,
  variants: readonly Variant[],
  { variants: wanted }: RuntimeRequest,
): void {
  if (variants.length > 0) return;
  if (wanted === undefined) throw new MslError({ source, offset: 0, reason: "there is no kernel here" });
  throw new RangeError(`${source.name} has no variant for ${JSON.stringify(wanted)}`);
}
