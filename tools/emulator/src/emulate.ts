import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Compiler, runCommand } from "@metile/compiler";
import { KNOWN_TYPE_MACROS, Source, SourceLoader } from "@metile/msl";
import { type ConstantValue, type TypedArray, writeArguments } from "./arguments.js";
import { DEFAULT_CACHE, RUNTIME } from "./build/folders.js";
import { EmulatorError } from "./error.js";
import { readLines } from "./lines.js";
import { compileProgram } from "./program.js";
import { type Report, readReports } from "./report.js";
import { STATUS, writeText } from "./text.js";

export type { TypedArray } from "./arguments.js";

/** What to run and with what. */
export interface EmulateOptions {
  /** The kernel's text; or else {@link file}. */
  readonly text?: string;
  /** Path of a `.metal` file; with {@link text}, its name in reports. @default "kernel.metal" */
  readonly file?: string;
  /** Name of the kernel. */
  readonly kernel: string;
  /**
   * Macros as a launcher sets them: `STORAGE`, `ROW_PACK`.
   * @default known type macros are float, ROW_THREADS is {@link threads}
   */
  readonly macros?: Readonly<Record<string, string | number>>;
  /**
   * Buffers by their name in the kernel; optional ones may be left out, and `status` starts as four zeros. Their lengths are
   * exact bounds.
   */
  readonly buffers: Readonly<Record<string, TypedArray>>;
  /** Constants by name; `has_…` are filled in. */
  readonly constants?: Readonly<Record<string, ConstantValue>>;
  /**
   * Writable buffers that hold something before the launch. All others count as outputs: nothing in them may be read before
   * it is written, and everything must be written. @default none
   */
  readonly initialised?: readonly string[];
  /** Bytes of `[[threadgroup(n)]]` memory by name. @default 32768 each */
  readonly threadgroup?: Readonly<Record<string, number>>;
  /** Threadgroups: along x, or along x, y and z. */
  readonly groups: number | readonly [number, number, number];
  /** Threads a threadgroup, along x: 1 to 1024. The last simdgroup is partial where 32 does not divide it. */
  readonly threads: number;
  /** Seconds after which a kernel that does not end is stopped. @default 60 */
  readonly seconds?: number;
  /** Folder of shared headers. @default the one of packages/runtime */
  readonly headers?: string;
  /** Folder of targets. @default the one of packages/runtime */
  readonly targets?: string;
  /** Compiler to use. @default what findCompiler finds */
  readonly compiler?: Compiler;
  /** Where programs are kept. @default node_modules/.cache of this package */
  readonly cacheFolder?: string;
}

/** What a launch left. */
export interface Emulation {
  /** Buffers by name: new arrays for those that the kernel writes. After a run that was stopped, they are as before. */
  readonly buffers: Readonly<Record<string, TypedArray>>;
  /** All that was wrong, each kind and line once, in the order in which it happened. */
  readonly reports: readonly Report[];
}

/**
 * Runs one launch of a kernel on the CPU, thread by thread, and watches every access.
 *
 * @throws EmulatorError for arguments that the kernel does not take, MslError and CompileError for a text that is wrong
 *
 * @example
 * ```ts
 * const { buffers, reports } = await emulate({
 *   text: "kernel void twice(device const float* a [[buffer(0)]], device float* b [[buffer(1)]], " +
 *     "uint i [[thread_position_in_grid]]) { b[i] = 2.0f * a[i]; }",
 *   kernel: "twice", buffers: { a: Float32Array.of(1, 2), b: new Float32Array(2) }, groups: 1, threads: 2,
 * });
 * reports.length; // 0
 * buffers.b; // Float32Array [2, 4]
 * ```
 */
export async function emulate(options: EmulateOptions): Promise<Emulation> {
  const { threads, headers = join(RUNTIME, "msl"), targets = join(RUNTIME, "targets") } = options;
  if (process.platform !== "linux") throw new EmulatorError(`Linux is needed, this is ${process.platform}`);
  const groups = readGroups(options.groups);
  if (!Number.isInteger(threads) || threads < 1 || threads > 1024) {
    throw new EmulatorError(`threads is ${threads}; a whole number from 1 to 1024 was expected`);
  }
  const loader = new SourceLoader(headers);
  const source = readSource(options, loader);
  const types = Object.fromEntries(KNOWN_TYPE_MACROS.map(({ name }) => [name, "float"]));
  const macros = { ...types, __METAL_VERSION__: "310", ROW_THREADS: threads, ...options.macros };
  const { text, kernel } = writeText(source, loader, options.kernel, macros);
  const program = await compileProgram({
    text,
    targets,
    compiler: options.compiler,
    cacheFolder: options.cacheFolder ?? DEFAULT_CACHE,
  });
  const folder = mkdtempSync(join(tmpdir(), "metile-emulator-"));
  try {
    const { constants = {}, threadgroup = {} } = options;
    const ownsStatus = kernel.buffers.some(({ name }) => name === STATUS) && !(STATUS in options.buffers);
    const buffers = ownsStatus ? { ...options.buffers, [STATUS]: new Uint32Array(4) } : options.buffers;
    const initialised = [...(options.initialised ?? []), ...(ownsStatus ? [STATUS] : [])];
    const values = { buffers, constants, initialised, threadgroup };
    const { words, written } = writeArguments(kernel, values, folder);
    const launch = [...groups, threads, options.seconds ?? 60].map(String);
    const output = await runCommand({ line: [program, ...launch, ...words], environment: {} });
    const locate = readLines(readFileSync(program), namesIn(text));
    const { reports, outcome } = readReports(output, { file: source.name, line: kernel.line, locate });
    if (outcome !== "completed" && reports.length === 0) throw new EmulatorError(`the run ended with: ${outcome}`);
    const results = Object.entries(buffers).map(([name, before]) => {
      const path = written.get(name);
      return [name, path === undefined ? before : readBack(path, before)];
    });
    return { buffers: Object.fromEntries(results), reports };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readGroups(groups: EmulateOptions["groups"]): readonly [number, number, number] {
  const [x, y, z] = typeof groups === "number" ? [groups, 1, 1] : groups;
  if ([x, y, z].every((count) => Number.isInteger(count) && count >= 0)) return [x, y, z];
  throw new EmulatorError(`groups is ${JSON.stringify(groups)}; whole numbers from 0 were expected`);
}

function readSource({ text, file }: EmulateOptions, loader: SourceLoader): Source {
  if (text !== undefined) return loader.add(new Source(file ?? "kernel.metal", text));
  if (file !== undefined) return loader.load(file);
  throw new EmulatorError("neither text nor file was given");
}

/** Names of sources in `#line` directives. */
function namesIn(text: string): string[] {
  return [
    ...new Set([...text.matchAll(/^#line \d+ (".+")$/gm)].map(([, name]) => JSON.parse(name as string) as string)),
  ];
}

/** The bytes of a file as an array of the same type. */
function readBack(path: string, before: TypedArray): TypedArray {
  const bytes = new Uint8Array(readFileSync(path));
  const Type = before.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => TypedArray;
  return new Type(bytes.buffer, 0, before.length);
}
