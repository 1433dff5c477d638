import { parseArgs } from "node:util";
import type { FloatingDtype, GradientType } from "@metile/runtime";
import type { Pass, Size } from "./measure/case.js";
import { passes } from "./measure/case.js";
import { statedFor } from "./report/targets.js";

/** What a run of the bench is asked for. */
export interface Settings {
  /** "cpu", "cuda", "cuda:1" or "metal"; undefined: the best device of this machine. */
  readonly device: DeviceChoice | undefined;
  /** Undefined: 4096 × 8192 on a CPU; 8192 rows of 4096, 8192 and 16384 columns on a GPU. */
  readonly sizes: readonly Size[] | undefined;
  readonly operations: readonly string[];
  /** Undefined: float32 and bfloat16 on a CPU, bfloat16 on a GPU. */
  readonly dtypes: readonly FloatingDtype[] | undefined;
  /** Undefined: forward and backward on a CPU, forward and forward+backward on a GPU. */
  readonly passes: readonly Pass[] | undefined;
  readonly gradientType: GradientType;
  /** Names of peers; undefined: all that are here. */
  readonly peers: readonly string[] | undefined;
  readonly threads: number | undefined;
  readonly repeats: number;
  /** Calls in a sample on a GPU; undefined: 4 to 40, by the bytes that they move. */
  readonly calls: number | undefined;
  /** Timed calls of each kind of host cost. */
  readonly hostIterations: number;
  /** The interpreter that has torch; undefined: the usual ones are tried. */
  readonly python: string | undefined;
  /** The folder that Liger is imported from; undefined: where Python finds it by itself. */
  readonly liger: string | undefined;
  /** Where the record goes. */
  readonly out: string;
  /** The folder that gets a page and charts; undefined: none are written. */
  readonly docs: string | undefined;
}

/** A device's name as `device()` takes it. */
export type DeviceChoice = "cpu" | "metal" | "cuda" | `cuda:${number}`;

/** Something on the command line that cannot be; the message says what may. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What to show below the message; undefined: the bench's own usage. */
  help: string | undefined;
}

export const usage = `Usage: pnpm bench [options]            measures operations beside the peers that are here
       pnpm bench docs FILE [--into DIR]  writes a page and charts from a results file
       pnpm bench tune [options]       sweeps launch settings of a GPU (bench tune --help)

  --device NAME      cpu, cuda, cuda:1, metal (the best of this machine)
  --operations A,B   which operations (all)
  --shapes RxC,RxC   rows by columns, in place of --rows and --widths
  --rows N           rows of a source (CPU ${statedFor.cpu.rows}, GPU ${statedFor.gpu.rows}; with --quick 512)
  --widths A,B       columns of a source (CPU ${statedFor.cpu.columns.join()}, GPU ${statedFor.gpu.columns.join()}; with --quick 2048)
  --dtype A,B        of float32, bfloat16, float16 (CPU float32,bfloat16; GPU bfloat16)
  --passes A,B       of ${passes.join(", ")} (CPU forward,backward; GPU forward,forward+backward)
  --gradients TYPE   input: gradients in the input's type, as PyTorch gives them (default); float32: meTile's default
  --peers A,B        of torch (CPU), eager, compile, liger (CUDA); none: no peer (all)
  --threads N        for meTile and PyTorch alike, on a CPU (as many as the device takes)
  --repeats N        samples of each (15; with --quick 5)
  --calls N          calls in a sample, on a GPU, for every peer (4 to 40, by their size): times must not depend on it
  --python PATH      a Python that has torch (METILE_PYTHON, else python3, /usr/bin/python3)
  --liger DIR        a folder to import Liger from (METILE_LIGER, else Python's own path)
  --quick            small and few
  --out FILE         where the JSON goes (tools/bench/results/latest.json)
  --write-docs       a page and charts in docs/benchmarks as well
  --help`;

const options = {
  device: { type: "string" },
  operations: { type: "string" },
  shapes: { type: "string" },
  rows: { type: "string" },
  widths: { type: "string" },
  dtype: { type: "string" },
  passes: { type: "string" },
  gradients: { type: "string" },
  peers: { type: "string" },
  threads: { type: "string" },
  repeats: { type: "string" },
  calls: { type: "string" },
  python: { type: "string" },
  liger: { type: "string" },
  quick: { type: "boolean" },
  out: { type: "string" },
  "write-docs": { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** A whole number from 1 on. */
export function whole(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new UsageError(`--${flag}: expected a whole number from 1 on, received "${text}".`);
  return value;
}

/** Whole numbers with commas between. */
export function wholes(flag: string, text: string): number[] {
  return [...new Set(text.split(",").map((one) => whole(flag, one.trim())))];
}

/** Names with commas between, each of them known. */
export function among<Name extends string>(flag: string, text: string, known: readonly Name[]): Name[] {
  const names = text.split(",").map((name) => name.trim());
  for (const name of names)
    if (!known.includes(name as Name))
      throw new UsageError(`--${flag}: expected names among ${known.join(", ")}, received "${name}".`);
  return [...new Set(names)] as Name[];
}

/** The name of a device, which need not be of this machine. */
export function deviceChoice(text: string): DeviceChoice {
  if (/^(cpu|metal|cuda(:\d{1,3})?)$/.test(text)) return text as DeviceChoice;
  throw new UsageError(`--device: expected cpu, cuda, cuda:1 or metal, received "${text}".`);
}

function sizesOf(text: string): Size[] {
  return text.split(",").map((one) => {
    const [rows, columns, ...rest] = one.trim().split(/[x×]/);
    if (rows === undefined || columns === undefined || rest.length > 0)
      throw new UsageError(`--shapes: expected rows by columns, as in 8192x4096, received "${one.trim()}".`);
    return { rows: whole("shapes", rows), columns: whole("shapes", columns) };
  });
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

function sizes({ shapes, rows, widths, quick, device }: Values): Size[] | undefined {
  if (shapes !== undefined) {
    if (rows !== undefined || widths !== undefined)
      throw new UsageError("--shapes: expected it in place of --rows and --widths, received both.");
    return sizesOf(shapes);
  }
  if (rows === undefined && widths === undefined && !quick) return undefined;
  const stated = device === undefined || device === "cpu" ? statedFor.cpu : statedFor.gpu;
  const count = rows === undefined ? (quick ? 512 : stated.rows) : whole("rows", rows);
  const columns = widths === undefined ? (quick ? [2048] : stated.columns) : wholes("widths", widths);
  return columns.map((one) => ({ rows: count, columns: one }));
}

/** Where things are by default. */
export interface Defaults {
  readonly out: string;
  readonly docs: string;
  /** The interpreter that the environment names. */
  readonly python: string | undefined;
  /** The folder of Liger that the environment names. */
  readonly liger?: string | undefined;
}

/**
 * Reads the command line of a measurement.
 *
 * @param parameters - what follows the script's name; a lone "--", which package managers pass on, is dropped
 * @param known - the names of operations
 * @returns undefined when help was asked for
 * @throws UsageError for what it does not understand
 */
export function parseSettings(
  parameters: readonly string[],
  known: readonly string[],
  defaults: Defaults,
): Settings | undefined {
  let values: Values;
  try {
    values = parseArgs({ args: parameters.filter((one) => one !== "--"), options, allowPositionals: false }).values;
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
  if (values.help) return undefined;
  const { quick = false, dtype, passes: some, peers, threads, repeats } = values;
  const [gradientType = "input"] = among("gradients", values.gradients ?? "input", ["input", "float32"] as const);
  return {
    device: values.device === undefined ? undefined : deviceChoice(values.device),
    sizes: sizes(values),
    operations: values.operations === undefined ? known : among("operations", values.operations, known),
    dtypes: dtype === undefined ? undefined : among("dtype", dtype, ["float32", "bfloat16", "float16"] as const),
    passes: some === undefined ? undefined : among("passes", some, passes),
    gradientType,
    peers: peers === "none" ? [] : peers && among("peers", peers, ["torch", "eager", "compile", "liger"] as const),
    threads: threads === undefined ? undefined : whole("threads", threads),
    repeats: repeats === undefined ? (quick ? 5 : 15) : whole("repeats", repeats),
    calls: values.calls === undefined ? undefined : whole("calls", values.calls),
    hostIterations: quick ? 1000 : 5000,
    python: values.python ?? defaults.python,
    liger: values.liger ?? defaults.liger,
    out: values.out ?? defaults.out,
    docs: values["write-docs"] ? defaults.docs : undefined,
  } as Settings;
}
