import { canonicalType, type Parameter } from "../kernel/parameter.js";
import type { KernelSyntax } from "../kernel/parse.js";
import type { KernelReflection } from "../kernel/reflection.js";
import { lanesOf } from "../kernel/types.js";
import { evaluate } from "../preprocess/condition.js";
import { positionOf } from "./position.js";

/** An argument of an entry that the host passes for a `[[buffer(n)]]`. */
export interface CudaArgument {
  /** n of `[[buffer(n)]]`. */
  readonly index: number;
  readonly name: string;
  /** A device address, or the bytes of a constant. */
  readonly kind: "pointer" | "value";
}

/** A kernel of a CUDA text: an `extern "C" __global__` function of its name, and what it takes, in order. */
export interface CudaKernel {
  readonly name: string;
  /** First, by rising index. */
  readonly arguments: readonly CudaArgument[];
  /** Then, for each `[[threadgroup(n)]]` by rising n, an `unsigned`: the byte offset of its memory; here are the n. */
  readonly threadgroup: readonly number[];
}

/** An indexed parameter, how the entry declares it, and what it passes on. */
interface Argument extends CudaArgument {
  readonly parameter: Parameter;
  readonly declaration: string;
  readonly value: string;
}

/** What an entry is and how it is written. */
export interface Entry {
  readonly kernel: CudaKernel;
  readonly text: string;
}

/** The entry of a kernel; what it calls is the kernel's own function, in `namespace metal`. */
export function writeEntry(
  { name, parameters }: KernelSyntax,
  { maxThreads }: KernelReflection,
  aliases: ReadonlyMap<string, string>,
): Entry {
  const buffers = sorted(parameters.filter(isBuffer).map((parameter) => readArgument(parameter, aliases)));
  const memory = sorted(parameters.filter(({ space }) => space === "threadgroup").map(readMemory));
  const flat = parameters.every((parameter) => !isPerThread(parameter) || lanesOfParameter(parameter, aliases) === 1);
  const values = parameters.map((parameter) => {
    const argument = [...buffers, ...memory].find((other) => other.parameter === parameter);
    if (argument !== undefined) return argument.value;
    const type = canonicalType(parameter.spelling, aliases);
    return positionOf(attributeOf(parameter), type, lanesOf(type), flat);
  });
  const declarations = [
    ...[...buffers, ...memory].map(({ declaration }) => declaration),
    "const cuda::Extent metile_groups",
    "const cuda::Extent metile_first",
  ];
  const bounds = maxThreads === undefined ? "METILE_BOUNDS" : `METILE_BOUNDS_OF(${maxThreads})`;
  const text = [
    `extern "C" __global__ void ${bounds} ${name.text}(${declarations.join(", ")}) {`,
    ...(memory.length === 0 ? [] : ["  extern __shared__ __align__(16) unsigned char metile_shared[];"]),
    `  metal::${name.text}(${values.join(", ")});`,
    "}",
    "",
  ].join("\n");
  const kernel = {
    name: name.text,
    arguments: buffers.map((argument) => ({ index: argument.index, name: argument.name, kind: argument.kind })),
    threadgroup: memory.map(({ index }) => index),
  };
  return { kernel, text };
}

function sorted<T extends { readonly index: number }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => a.index - b.index);
}

function attributeOf({ attributes }: Parameter): string {
  return attributes[0]?.name.text ?? "";
}

function isBuffer(parameter: Parameter): boolean {
  return attributeOf(parameter) === "buffer";
}

/** Whether a parameter has as many dimensions as threadgroups have. */
function isPerThread(parameter: Parameter): boolean {
  return ["thread_position_in_threadgroup", "thread_position_in_grid"].includes(attributeOf(parameter));
}

function lanesOfParameter({ spelling }: Parameter, aliases: ReadonlyMap<string, string>): number {
  return lanesOf(canonicalType(spelling, aliases));
}

function indexOf({ attributes, name }: Parameter): number {
  return Number(evaluate(attributes[0]?.argument ?? [], name));
}

function readArgument(parameter: Parameter, aliases: ReadonlyMap<string, string>): Argument {
  const { name, space, isConst, indirection, spelling } = parameter;
  const index = indexOf(parameter);
  const own = `metile_buffer_${index}`;
  if (space === "constant" && indirection === "&") {
    // the host sends a bool as four bytes
    const isBool = canonicalType(spelling, aliases) === "bool";
    const declaration = `${isBool ? "uint" : spelling} ${own}`;
    return { index, name: name.text, kind: "value", parameter, declaration, value: isBool ? `${own} != 0u` : own };
  }
  const qualifier = isConst || space === "constant" ? "const " : "";
  const value = indirection === "&" ? `*${own}` : own;
  return { index, name: name.text, kind: "pointer", parameter, declaration: `${qualifier}${spelling}* ${own}`, value };
}

function readMemory(parameter: Parameter): Argument {
  const index = indexOf(parameter);
  const own = `metile_offset_${index}`;
  const qualifier = parameter.isConst ? "const " : "";
  const value = `(${qualifier}${parameter.spelling}*)(metile_shared + ${own})`;
  return { index, name: parameter.name.text, kind: "value", parameter, declaration: `const unsigned ${own}`, value };
}
