import {
  type BufferReflection,
  type GpuView,
  inlineIncludes,
  type KernelReflection,
  type KernelSyntax,
  type Parameter,
  readGpuView,
  Source,
  type SourceLoader,
  type Token,
  tokenize,
} from "@metile/msl";
import { EmulatorError } from "./error.js";

/** Name of the buffer of status words. */
export const STATUS = "status";

/** A kernel's text as the emulator compiles it. */
export interface EmulatedText {
  readonly text: string;
  /** What it takes, status words included. */
  readonly kernel: KernelReflection;
}

/**
 * The C++ of one kernel: the file's text with includes in place, and a function that runs one thread of the kernel.
 *
 * @throws EmulatorError when the file has no such kernel
 */
export function writeText(source: Source, loader: SourceLoader, name: string, macros: Macros): EmulatedText {
  const view = readGpuView(source, loader);
  const { kernel, syntax } = findKernel(view, source, name);
  const inlined = inlineIncludes(source, loader);
  const thread = writeThread("metile_thread", kernel, syntax);
  const shared = shareThreadgroupVariables(inlined);
  const text = `#include <metal_stdlib>\n${writeMacros(macros)}${shared}\n#line 1 "thread"\n${thread}`;
  const status = syntax.parameters.find((parameter) => isStatus(parameter, kernel));
  if (status === undefined) return { text, kernel };
  const words: BufferReflection = {
    name: status.name.text,
    index: indexOf(status),
    element: "uint",
    access: "write",
    optional: false,
  };
  return { text, kernel: { ...kernel, buffers: [...kernel.buffers, words] } };
}

/** Macros of a launch by name. */
export type Macros = Readonly<Record<string, string | number>>;

/** Definitions of macros, to stand behind the headers: a macro called `T` means nothing to those. */
export function writeMacros(macros: Macros): string {
  const lines = Object.entries(macros).map(([name, value]) => `#define ${name} ${value}\n`);
  return `#line 1 "macros"\n${lines.join("")}`;
}

/** Whether a parameter is a launch's status words: a runtime binds them, so that the reflection leaves them out. */
function isStatus({ name, indirection }: Parameter, { buffers, threadgroup }: KernelReflection): boolean {
  return (
    name.text === STATUS && indirection === "*" && ![...buffers, ...threadgroup].some((other) => other.name === STATUS)
  );
}

/** n of `[[buffer(n)]]` or `[[threadgroup(n)]]`. */
export function indexOf({ attributes }: Parameter): number {
  return Number(attributes.find(({ name }) => ["buffer", "threadgroup"].includes(name.text))?.argument?.[0]?.text);
}

function findKernel(view: GpuView, source: Source, name: string): { kernel: KernelReflection; syntax: KernelSyntax } {
  const index = view.kernels.findIndex((kernel) => kernel.name === name);
  const kernel = view.kernels[index];
  const syntax = view.syntax[index];
  if (kernel !== undefined && syntax !== undefined) return { kernel, syntax };
  const names = view.kernels.map((other) => other.name).join(", ");
  throw new EmulatorError(`${source.name} has no kernel ${name}; it has ${names || "none"}`);
}

/**
 * Variables in threadgroup memory are one for all threads, so that they become static: `METAL_GROUP float sums[32]`.
 * Pointers into that memory stay each thread's own; the attribute `[[threadgroup(0)]]` gets a name that is no macro.
 */
export function shareThreadgroupVariables(text: string): string {
  const tokens = tokenize(new Source("inlined", text));
  const outside = withoutDirectives(tokens);
  const attributes = tokens.filter((_, index) => tokens[index - 1]?.text === "[" && tokens[index - 2]?.text === "[");
  const variables = outside.filter((_, index) => declaresVariable(outside, index));
  const edits = [
    ...attributes.map((token) => ({ token, text: "groupmemory" })),
    ...variables.map((token) => ({ token, text: "METAL_GROUP" })),
  ].filter(({ token }) => token.text === "threadgroup");
  edits.sort((a, b) => a.token.start - b.token.start);
  let result = "";
  let at = 0;
  for (const { token, text: replacement } of edits) {
    result += text.slice(at, token.start) + replacement;
    at = token.end;
  }
  return result + text.slice(at);
}

function withoutDirectives(tokens: readonly Token[]): Token[] {
  let inside = false;
  return tokens.filter(({ leading, text }) => {
    if (leading) inside = text === "#";
    return !inside;
  });
}

function declaresVariable(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.text !== "threadgroup" || !/^[;{}]$/.test(tokens[index - 1]?.text ?? "")) return false;
  const end = tokens.findIndex(({ text }, at) => at > index && /^[;={([]$/.test(text));
  return !tokens.slice(index, end).some(({ text }) => text === "*" || text === "&");
}

/** The function that runs one thread of a kernel. */
export function writeThread(
  functionName: string,
  { name, buffers, constants, threadgroup }: KernelReflection,
  { parameters }: KernelSyntax,
): string {
  const values = parameters.map((parameter) => {
    const named = (other: { readonly name: string }) => other.name === parameter.name.text;
    const memory = threadgroup.find(named);
    if (memory !== undefined) return `(${parameter.spelling}*)start->scratch[${memory.index}]`;
    const argument = constants.find(named) ?? buffers.find(named);
    if (argument === undefined && parameter.indirection === null) return writePosition(parameter);
    const index = argument?.index ?? indexOf(parameter);
    const constant = parameter.isConst || parameter.space === "constant" ? "const " : "";
    const pointer = `(${constant}${parameter.spelling}*)start->arguments[${index}]`;
    return parameter.indirection === "&" ? `*${pointer}` : pointer;
  });
  const call = `${name}(${values.join(",\n    ")});`;
  return `extern "C" METILE_UNWATCHED void ${functionName}() {\n  const MetileStart* start = metile_start();\n  ${call}\n}\n`;
}

/** What a component of an attribute is, of the functions that the emulator offers. */
const POSITIONS: Readonly<Record<string, (axis: number) => string>> = {
  thread_position_in_grid: (axis) =>
    `${position("group", axis)} * ${position("threads", axis)} + ${position("in_group", axis)}`,
  threads_per_grid: (axis) => `${position("groups", axis)} * ${position("threads", axis)}`,
  threadgroup_position_in_grid: (axis) => position("group", axis),
  threadgroups_per_grid: (axis) => position("groups", axis),
  thread_position_in_threadgroup: (axis) => position("in_group", axis),
  threads_per_threadgroup: (axis) => position("threads", axis),
  dispatch_threads_per_threadgroup: (axis) => position("threads", axis),
  thread_index_in_threadgroup: () => position("index", 0),
  thread_index_in_simdgroup: () => position("lane", 0),
  simdgroup_index_in_threadgroup: () => position("simdgroup", 0),
  simdgroups_per_threadgroup: () => position("simdgroups", 0),
  dispatch_simdgroups_per_threadgroup: () => position("simdgroups", 0),
  threads_per_simdgroup: () => "32u",
  thread_execution_width: () => "32u",
};

function position(what: string, axis: number): string {
  return `start->positions[metile_${what}][${axis}]`;
}

function writePosition({ name, spelling, attributes }: Parameter): string {
  const component = POSITIONS[attributes[0]?.name.text ?? ""];
  if (component === undefined) throw new EmulatorError(`parameter ${name.text} has no attribute that is known here`);
  const lanes = Number(/[a-z]([23])$/.exec(spelling)?.[1] ?? 1);
  return `${spelling}(${[0, 1, 2].slice(0, lanes).map(component).join(", ")})`;
}
