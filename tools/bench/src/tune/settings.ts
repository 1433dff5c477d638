import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { FloatingDtype } from "@metile/runtime";
import { among, type DeviceChoice, deviceChoice, UsageError, whole, wholes } from "../arguments.js";
import { statedFor } from "../report/targets.js";
import { tunedKernels } from "./kernels.js";

/** What a sweep is asked for. */
export interface TuneSettings {
  readonly device: DeviceChoice | undefined;
  readonly kernels: readonly string[];
  readonly rows: number;
  readonly widths: readonly number[];
  readonly dtype: FloatingDtype;
  /** Processes that compile side by side. */
  readonly processes: number;
  /** Samples of each finalist. */
  readonly repeats: number;
  readonly quick: boolean;
  readonly out: string;
}

export const tuneUsage = `Usage: pnpm bench tune [options]

  Sweeps threads, packets, kept rows and weights, prefetching, bounds on registers and threadgroups of row kernels on a GPU, and
  compares the fastest with what the launch table (packages/runtime/src/rows/tiles.ts) picks.

  --device NAME      cuda, cuda:1 or metal (the best of this machine)
  --kernels A,B      of ${tunedKernels.map(({ name }) => name).join(", ")} (all)
  --rows N           (${statedFor.gpu.rows})
  --widths A,B       (${statedFor.gpu.columns.join()})
  --dtype TYPE       float32, bfloat16 or float16 (bfloat16)
  --processes N      that compile variants side by side (one less than there are processors)
  --repeats N        samples of each finalist (9)
  --quick            a small sweep
  --out FILE         where the JSON goes; a summary in Markdown is written beside it (tools/bench/results/tune.json)
  --help`;

const options = {
  device: { type: "string" },
  kernels: { type: "string" },
  rows: { type: "string" },
  widths: { type: "string" },
  dtype: { type: "string" },
  processes: { type: "string" },
  repeats: { type: "string" },
  quick: { type: "boolean" },
  out: { type: "string" },
  help: { type: "boolean" },
} as const;

function parsed(parameters: readonly string[], out: string): TuneSettings | undefined {
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];
  try {
    values = parseArgs({ args: parameters.filter((one) => one !== "--"), options, allowPositionals: false }).values;
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
  if (values.help) return undefined;
  const names = tunedKernels.map(({ name }) => name);
  const { kernels, rows, widths, processes, repeats } = values;
  const [dtype = "bfloat16", ...more] = among("dtype", values.dtype ?? "bfloat16", [
    "float32",
    "bfloat16",
    "float16",
  ] as const);
  if (more.length > 0) throw new UsageError("--dtype: expected one type for a sweep.");
  return {
    device: values.device === undefined ? undefined : deviceChoice(values.device),
    kernels: kernels === undefined ? names : among("kernels", kernels, names),
    rows: rows === undefined ? statedFor.gpu.rows : whole("rows", rows),
    widths: widths === undefined ? statedFor.gpu.columns : wholes("widths", widths),
    dtype,
    processes: processes === undefined ? Math.max(1, availableParallelism() - 1) : whole("processes", processes),
    repeats: repeats === undefined ? 9 : whole("repeats", repeats),
    quick: values.quick ?? false,
    out: values.out ?? out,
  };
}

/**
 * Reads the command line of a sweep.
 *
 * @param out - where the record goes when --out is left out
 * @returns undefined when help was asked for
 * @throws UsageError for what it does not understand
 */
export function parseTuneSettings(parameters: readonly string[], out: string): TuneSettings | undefined {
  try {
    return parsed(parameters, out);
  } catch (error) {
    if (error instanceof UsageError) error.help = tuneUsage;
    throw error;
  }
}
