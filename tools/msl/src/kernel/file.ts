import type { ExpandedToken } from "../preprocess/expand.js";
import type { SourceLoader } from "../preprocess/include.js";
import { preprocess, type Unit } from "../preprocess/preprocess.js";
import type { Source } from "../text/source.js";
import { errorAt, tokenize } from "../text/token.js";
import { readAliases } from "./parameter.js";
import { type KernelSyntax, parseKernels } from "./parse.js";
import { reflectKernel } from "./reflect.js";
import type { KernelReflection } from "./reflection.js";
import { KNOWN_TYPE_MACROS, type TypeMacro, typeMacrosOf } from "./typemacro.js";

/** Macros that a file sees when it is compiled for a CPU. */
export const CPU_DEFINES: Readonly<Record<string, string>> = { METILE_CPU: "1", ROW_THREADS: "1" };

/** Macros that it sees on GPUs; the launcher decides ROW_THREADS there. */
const GPU_DEFINES: Readonly<Record<string, string>> = { __METAL_VERSION__: "310" };

/** A `.metal` file that was read: kernels, their interface, and the file as the CPU's compiler sees it. */
export interface KernelFile {
  readonly source: Source;
  readonly typeMacros: readonly TypeMacro[];
  readonly kernels: readonly KernelReflection[];
  /** The file for CPUs, and where its kernels lie in the unit's tokens, in the order of {@link kernels}. */
  readonly unit: Unit;
  readonly syntax: readonly KernelSyntax[];
}

/**
 * Reads a `.metal` file.
 *
 * GPUs and CPUs see different branches of `#ifdef METILE_CPU`. The reflection is what a GPU sees, for a CPU library needs
 * none of threadgroup memory and attributes; buffers and constants must be the same on both.
 *
 * @throws MslError for anything that is wrong with it
 */
export function readKernelFile(source: Source, loader: SourceLoader): KernelFile {
  const gpu = readView(source, loader, GPU_DEFINES, ["ROW_THREADS"]);
  const cpu = readView(source, loader, CPU_DEFINES, []);
  for (const header of cpu.unit.headers) refuseTypeMacros(header);
  const kernels = cpu.kernels.map((kernel, index) => {
    const { name } = cpu.syntax[index] as KernelSyntax;
    if (cpu.kernels.findIndex((other) => other.name === kernel.name) !== index) {
      throw errorAt(name, `two kernels are called ${kernel.name}`);
    }
    const twin = gpu.kernels.find((other) => other.name === kernel.name);
    if (twin === undefined) throw errorAt(name, `kernel ${kernel.name} is missing where METILE_CPU is not defined`);
    if (interfaceOf(twin) !== interfaceOf(kernel)) {
      throw errorAt(name, `kernel ${kernel.name} has another interface where METILE_CPU is not defined`);
    }
    const used = new Set([...kernel.macros, ...twin.macros]);
    return { ...twin, macros: cpu.typeMacros.map((macro) => macro.name).filter((macro) => used.has(macro)) };
  });
  const extra = gpu.syntax.find(({ name }) => !kernels.some((kernel) => kernel.name === name.text));
  if (extra !== undefined)
    throw errorAt(extra.name, `kernel ${extra.name.text} is missing where METILE_CPU is defined`);
  return { source, typeMacros: cpu.typeMacros, kernels, unit: cpu.unit, syntax: cpu.syntax };
}

/** Kernels of a `.metal` file as a GPU's compiler sees them, and how each is declared. */
export interface GpuView {
  readonly kernels: readonly KernelReflection[];
  /** In the order of {@link kernels}. */
  readonly syntax: readonly KernelSyntax[];
  /** Names that stand for other types. */
  readonly aliases: ReadonlyMap<string, string>;
}

/**
 * Reads the branches of a `.metal` file that GPUs see; a kernel need not exist for CPUs.
 *
 * @throws MslError for anything that is wrong with it
 */
export function readGpuView(source: Source, loader: SourceLoader): GpuView {
  const { kernels, syntax, aliases } = readView(source, loader, GPU_DEFINES, ["ROW_THREADS"]);
  return { kernels, syntax, aliases };
}

/** A text as a GPU's compiler sees it with all macros decided. */
export interface GpuText extends GpuView {
  /** All tokens behind the preprocessor. */
  readonly tokens: readonly ExpandedToken[];
}

/**
 * As {@link readGpuView}, with all macros given and shared headers in the text: what a device compiles at run time.
 *
 * @throws MslError for anything that is wrong with it
 */
export function readGpuText(source: Source, loader: SourceLoader, macros: Readonly<Record<string, string>>): GpuText {
  const unit = preprocess(source, { loader, defines: { ...GPU_DEFINES, ...macros }, opaque: new Set(), whole: true });
  const typeMacros = new Set(typeMacrosOf(unit.pragmas).map(({ name }) => name));
  const syntax = parseKernels(unit.tokens);
  const aliases = readAliases(unit.tokens);
  const kernels = syntax.map((kernel) => reflectKernel(kernel, { aliases, typeMacros, macros: [] }));
  return { kernels, syntax, aliases, tokens: unit.tokens };
}

function interfaceOf({ name, buffers, constants }: KernelReflection): string {
  return JSON.stringify([name, buffers, constants]);
}

function readView(source: Source, loader: SourceLoader, defines: Readonly<Record<string, string>>, more: string[]) {
  const opaque = new Set([...KNOWN_TYPE_MACROS.map(({ name }) => name), ...more]);
  const unit = preprocess(source, { loader, defines, opaque });
  const typeMacros = typeMacrosOf(unit.pragmas);
  const names = new Set(typeMacros.map(({ name }) => name));
  const syntax = parseKernels(unit.tokens);
  const aliases = readAliases(unit.tokens);
  const used = macrosOfKernels(unit.tokens, syntax, names);
  const kernels = syntax.map((kernel, index) => {
    const macros = [...names].filter((name) => used[index]?.has(name));
    return reflectKernel(kernel, { aliases, typeMacros: names, macros });
  });
  return { unit, syntax, typeMacros, kernels, aliases };
}

/** For each kernel, the type macros in it or in the text that it shares with others. */
function macrosOfKernels(
  tokens: readonly ExpandedToken[],
  kernels: readonly KernelSyntax[],
  names: ReadonlySet<string>,
): ReadonlySet<string>[] {
  const shared = new Set<string>();
  const own = kernels.map(() => new Set<string>());
  let next = 0; // the kernel that ends last is not behind the token
  tokens.forEach(({ text }, index) => {
    while (next < kernels.length && index > (kernels[next] as KernelSyntax).close) next += 1;
    if (!names.has(text)) return;
    const kernel = kernels[next];
    (kernel !== undefined && index >= kernel.first ? (own[next] as Set<string>) : shared).add(text);
  });
  return own.map((set) => new Set([...shared, ...set]));
}

/** Shared headers are compiled once for all variants of a family, so that a type macro has no value in them. */
function refuseTypeMacros(header: Source): void {
  const token = tokenize(header).find(
    ({ kind, text }) => kind === "identifier" && KNOWN_TYPE_MACROS.some(({ name }) => name === text),
  );
  if (token === undefined) return;
  throw errorAt(token, `a shared header does not use type macro ${token.text}; take the type as a template parameter`);
}
