import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  compileLibrarySync,
  findCompiler,
  hostLevels,
  hostTarget,
  libraryExtension,
  runCommandSync,
} from "@metile/compiler";
import type { NativeBinding, NativeDevice } from "../../src/native/types.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const cache = join(root, "node_modules", ".cache", "metile", "native-tests");

export type { NativeBinding, NativeDevice };

/** The addon of this machine, as the build left it. */
export const addonPath =
  process.env.METILE_ADDON ?? join(root, "npm", `${process.platform}-${process.arch}`, "metile_runtime.node");

export const binding = createRequire(import.meta.url)(addonPath) as NativeBinding;

/** Compiles a C++ file of this folder to a library of kernels, once for each text and compiler. */
export function compileKernels(file: string): string {
  const target = hostTarget();
  const level = hostLevels()[0];
  if (target === null || level === undefined) throw new Error("this machine runs no kernels");
  const compiler = findCompiler();
  const source = join(here, file);
  const key = createHash("sha256").update(readFileSync(source)).update(compiler.identity).digest("hex").slice(0, 16);
  const output = join(cache, `${key}.${libraryExtension(target)}`);
  if (!existsSync(output)) {
    mkdirSync(cache, { recursive: true });
    compileLibrarySync({ compiler, source, output, target, level });
  }
  return output;
}

/** Compiles a C++ file of this folder to a library that a process can be made to load first. */
export function compilePreload(file: string): string {
  const output = join(cache, file.replace(/\.cpp$/, ".so"));
  const { kind, command, prefix, environment } = findCompiler();
  const flags = ["-std=c++17", "-O1", "-fPIC", "-fno-exceptions", "-fno-rtti", "-shared"];
  if (kind === "zig") flags.push("-nostdlib++"); // which it would build first
  mkdirSync(cache, { recursive: true });
  runCommandSync({ line: [command, ...prefix, ...flags, "-o", output, join(here, file)], environment });
  return output;
}

export const kernelsPath = compileKernels("kernels.cpp");
export const device = binding.openCpu();
const library = device.loadLibrary(kernelsPath);

export type BufferWord =
  | number
  | { slot: number; offset?: number; written?: boolean; overwritten?: boolean }
  | "status"
  | null;

export interface LaunchRequest {
  kernel: string | number;
  groups?: number | [number, number, number];
  work?: number;
  operation?: number;
  /** By index; a number is a slot that is read. */
  buffers: Record<number, BufferWord>;
  /** By index; a number is a uint. */
  constants?: Record<number, number | Uint32Array | Float32Array>;
}

/** The words of a launch. */
export function encode(request: LaunchRequest): Uint32Array {
  const { kernel, groups = 1, work = 0xffffffff, operation = 0, buffers, constants = {} } = request;
  const number = typeof kernel === "number" ? kernel : device.kernel(library, kernel);
  const grid = typeof groups === "number" ? [groups, 1, 1] : groups;
  const words: number[] = [number, ...grid, 1, work, operation];
  words.push(Object.keys(buffers).length | (Object.keys(constants).length << 8));
  for (const [index, buffer] of Object.entries(buffers)) words.push(...bufferWords(Number(index), buffer));
  for (const [index, value] of Object.entries(constants)) {
    const bytes = typeof value === "number" ? Uint32Array.of(value) : value;
    words.push(
      Number(index) | (bytes.byteLength << 8),
      ...new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4),
    );
  }
  return Uint32Array.from(words);
}

function bufferWords(index: number, buffer: BufferWord): number[] {
  if (buffer === null) return [index, 0, 0, 0];
  if (buffer === "status") return [index | (3 << 8), 0, 0, 0];
  if (typeof buffer === "number") return [index, buffer, 0, 0];
  const flags = (buffer.written ? 1 : 0) | (buffer.overwritten ? 5 : 0);
  const offset = buffer.offset ?? 0;
  return [index | (flags << 8), buffer.slot, offset % 2 ** 32, Math.floor(offset / 2 ** 32)];
}

export function launch(request: LaunchRequest): void {
  const words = encode(request);
  device.launch(words, words.length);
}

/** A storage that holds the values. */
export function storage(values: ArrayBufferView): number {
  const slot = device.allocate(values.byteLength, false);
  device.write(slot, 0, values);
  return slot;
}

export function readFloats(slot: number, count: number, byteOffset = 0): Float32Array {
  const target = new Float32Array(count);
  device.readSync(slot, byteOffset, count * 4, 0, target);
  return target;
}

export function readWords(slot: number, count: number, byteOffset = 0): Uint32Array {
  const target = new Uint32Array(count);
  device.readSync(slot, byteOffset, count * 4, 0, target);
  return target;
}

/** The error that the body throws. */
export function thrown(body: () => unknown): Error & Record<string, unknown> {
  try {
    body();
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error("nothing was thrown");
}

/** A launch that keeps the stream busy for about a number of milliseconds on one core. */
export function burn(slot: number, milliseconds: number): void {
  launch({
    kernel: "burn",
    buffers: { 0: { slot, written: true } },
    constants: { 1: Math.round(milliseconds * stepsAMillisecond) },
  });
}

const stepsAMillisecond = calibrate();

function calibrate(): number {
  const slot = device.allocate(4, false);
  const steps = 4_000_000;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now();
    launch({ kernel: "burn", buffers: { 0: { slot, written: true } }, constants: { 1: steps } });
    device.synchronizeSync();
    best = Math.min(best, performance.now() - started);
  }
  device.release(slot);
  return steps / best;
}

/** Runs a program of `programs/` in a process of its own. */
export function programArguments(name: string, ...parameters: string[]): string[] {
  return [join(here, "programs", name), addonPath, kernelsPath, ...parameters];
}
