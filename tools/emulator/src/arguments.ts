import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConstantReflection, KernelReflection } from "@metile/msl";
import { EmulatorError } from "./error.js";

/** Bytes of a buffer, with the type in which they come back. */
export type TypedArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | BigUint64Array
  | BigInt64Array;

/** Value of a constant: vectors are arrays. */
export type ConstantValue = number | bigint | boolean | readonly number[];

/** What {@link writeArguments} passes on. */
export interface ArgumentValues {
  readonly buffers: Readonly<Record<string, TypedArray>>;
  readonly constants: Readonly<Record<string, ConstantValue>>;
  /** Writable buffers that hold something before the launch. */
  readonly initialised: readonly string[];
  /** Bytes of `[[threadgroup(n)]]` memory by name. */
  readonly threadgroup: Readonly<Record<string, number>>;
}

/** Threadgroup memory that Metal promises. */
const THREADGROUP_BYTES = 32768;

/**
 * Writes a kernel's arguments to files.
 *
 * @returns words of the program's command line, and the files of buffers that the kernel writes, by name
 * @throws EmulatorError for names that the kernel does not have and arguments that are missing
 */
export function writeArguments(
  kernel: KernelReflection,
  values: ArgumentValues,
  folder: string,
): { words: string[]; written: Map<string, string> } {
  refuseUnknown(kernel, values);
  const written = new Map<string, string>();
  const words = kernel.buffers.flatMap(({ name, index, access, optional }) => {
    const bytes = values.buffers[name];
    if (bytes === undefined) {
      if (!optional) throw new EmulatorError(`buffer ${name} of ${kernel.name} is missing`);
      return ["absent", String(index), name, "none"];
    }
    const path = join(folder, `buffer-${index}`);
    writeFileSync(path, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (access === "read") return ["input", String(index), name, path];
    written.set(name, path);
    return [values.initialised.includes(name) ? "update" : "output", String(index), name, path];
  });
  for (const constant of kernel.constants) {
    const present = constant.automatic === undefined ? undefined : constant.automatic in values.buffers;
    const value = values.constants[constant.name] ?? present;
    if (value === undefined) throw new EmulatorError(`constant ${constant.name} of ${kernel.name} is missing`);
    const path = join(folder, `constant-${constant.index}`);
    writeFileSync(path, encode(constant, value));
    words.push("constant", String(constant.index), constant.name, path);
  }
  for (const { name, index } of kernel.threadgroup) {
    words.push("threadgroup", String(index), name, String(values.threadgroup[name] ?? THREADGROUP_BYTES));
  }
  return { words, written };
}

function refuseUnknown(kernel: KernelReflection, values: ArgumentValues): void {
  const refuse = (what: string, given: readonly string[], known: readonly { readonly name: string }[]) => {
    const unknown = given.find((name) => !known.some((one) => one.name === name));
    if (unknown === undefined) return;
    const names = known.map(({ name }) => name).join(", ");
    throw new EmulatorError(`${kernel.name} has no ${what} ${unknown}; it has ${names || "none"}`);
  };
  refuse("buffer", [...Object.keys(values.buffers), ...values.initialised], kernel.buffers);
  refuse("constant", Object.keys(values.constants), kernel.constants);
  refuse("threadgroup memory", Object.keys(values.threadgroup), kernel.threadgroup);
}

const ELEMENTS: Readonly<Record<string, (values: readonly number[]) => ArrayBufferView>> = {
  bool: (values) => Uint8Array.from(values, (value) => (value ? 1 : 0)),
  uchar: (values) => Uint8Array.from(values),
  char: (values) => Int8Array.from(values),
  ushort: (values) => Uint16Array.from(values),
  short: (values) => Int16Array.from(values),
  uint: (values) => Uint32Array.from(values),
  int: (values) => Int32Array.from(values),
  float: (values) => Float32Array.from(values),
};

function encode({ name, type }: ConstantReflection, value: ConstantValue): Uint8Array {
  const [, element = type, lanes = "1"] = /^([a-z]+)([24])?$/.exec(type) ?? [];
  const values = Array.isArray(value) ? (value as readonly number[]) : [value as number | bigint | boolean];
  if (values.length !== Number(lanes)) {
    throw new EmulatorError(`constant ${name} is a ${type}: ${lanes} numbers were expected, ${values.length} came`);
  }
  const { buffer } = encodeElements(name, element, values);
  return new Uint8Array(buffer);
}

function encodeElements(
  name: string,
  element: string,
  values: readonly (number | bigint | boolean)[],
): ArrayBufferView {
  if (element === "ulong") return BigUint64Array.from(values, (value) => BigInt(value));
  if (element === "long") return BigInt64Array.from(values, (value) => BigInt(value));
  const make = ELEMENTS[element];
  if (make === undefined) throw new EmulatorError(`constant ${name} has type ${element}, which cannot be passed here`);
  return make(values.map(Number));
}
