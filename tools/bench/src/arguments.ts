import { parseArgs } from "node:util";
import type { FloatingDtype, GradientType } from "@metile/runtime";
import { statedFor } from "./report/figures.js";

/** What a run of the bench is asked for. */
export interface Settings {
  readonly rows: number;
  readonly columns: number;
  readonly operations: readonly string[];
  readonly dtypes: readonly FloatingDtype[];
  readonly gradientType: GradientType;
  /** Undefined: as many as the device takes by itself. */
  readonly threads: number | undefined;
  readonly repeats: number;
  /** Timed calls of each kind of host cost. */
  readonly hostIterations: number;
  /** The interpreter that has torch; undefined: the usual ones are tried. */
  readonly python: string | undefined;
  /** Where the record goes. */
  readonly out: string;
}

/** Something on the command line that cannot be; the message says what may. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const usage = `Usage: pnpm bench [options]

  --rows N           rows of a source (${statedFor.rows}; with --quick 512)
  --columns N        columns of a source (${statedFor.columns}; with --quick 2048)
  --operations A,B   which operations (all)
  --dtypes A,B       of float32, bfloat16, float16 (float32,bfloat16)
  --gradients TYPE   input: gradients in the input's type, as PyTorch gives them (default); float32: meTile's default
  --threads N        for meTile and PyTorch alike (as many as the device takes)
  --repeats N        samples of each (15; with --quick 5)
  --python PATH      a Python that has torch (METILE_PYTHON, else python3, /usr/bin/python3)
  --quick            small and few
  --out FILE         where the JSON goes (tools/bench/results/latest.json)
  --help`;

const options = {
  rows: { type: "string" },
  columns: { type: "string" },
  operations: { type: "string" },
  dtypes: { type: "string" },
  gradients: { type: "string" },
  threads: { type: "string" },
  repeats: { type: "string" },
  python: { type: "string" },
  quick: { type: "boolean" },
  out: { type: "string" },
  help: { type: "boolean" },
} as const;

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new UsageError(`--${name}: expected a whole number from 1 on, received "${text}".`);
  return value;
}

function among<Name extends string>(flag: string, text: string, known: readonly Name[]): Name[] {
  const names = text.split(",").map((name) => name.trim());
  for (const name of names)
    if (!known.includes(name as Name))
      throw new UsageError(`--${flag}: expected names among ${known.join(", ")}, received "${name}".`);
  return [...new Set(names)] as Name[];
}

/**
 * Reads the command line.
 *
 * @param parameters - what follows the script's name; a lone "--", which package managers pass on, is dropped
 * @param known - the names of operations
 * @param defaults - where the record goes when --out is left out, and the interpreter that the environment names
 * @returns undefined when help was asked for
 * @throws UsageError for what it does not understand
 */
export function parseSettings(
  parameters: readonly string[],
  known: readonly string[],
  defaults: { readonly out: string; readonly python: string | undefined },
): Settings | undefined {
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];
  try {
    values = parseArgs({ args: parameters.filter((one) => one !== "--"), options, allowPositionals: false }).values;
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
  if (values.help) return undefined;
  const { quick = false } = values;
  const [gradientType = "input"] = among("gradients", values.gradients ?? "input", ["input", "float32"] as const);
  return {
    rows: whole("rows", values.rows, quick ? 512 : statedFor.rows),
    columns: whole("columns", values.columns, quick ? 2048 : statedFor.columns),
    operations: values.operations === undefined ? known : among("operations", values.operations, known),
    dtypes: among("dtypes", values.dtypes ?? "float32,bfloat16", ["float32", "bfloat16", "float16"] as const),
    gradientType,
    threads: values.threads === undefined ? undefined : whole("threads", values.threads, 1),
    repeats: whole("repeats", values.repeats, quick ? 5 : 15),
    hostIterations: quick ? 1000 : 5000,
    python: values.python ?? defaults.python,
    out: values.out ?? defaults.out,
  };
}
