import { parseArgs } from "node:util";

/** What the demo is asked for. */
export interface Settings {
  /** A file with text; undefined: the repository's own prose. */
  readonly path: string | undefined;
  /** The device's name; undefined: the best one. */
  readonly device: string | undefined;
  /** The most tokens that are taken, a row each. */
  readonly tokens: number;
  readonly columns: number;
  /** Timed runs of each pass. */
  readonly repeats: number;
}

/** Something on the command line that cannot be; the message says what may. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const usage = `Usage: pnpm demo [file] [options]

  file             text to take; by default this repository's own prose
  --device NAME    where to run (METILE_DEVICE, else the best one)
  --tokens N       the most tokens, a row each (2048)
  --columns N      numbers a row (2048)
  --repeats N      timed runs of each pass (7)
  --help`;

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > 65_536)
    throw new UsageError(`--${name}: expected a whole number from 1 to 65536, received "${text}".`);
  return value;
}

/**
 * Reads the command line; a lone "--", which package managers pass on, is dropped.
 *
 * @returns undefined when help was asked for
 * @throws UsageError for what it does not understand
 */
export function parseSettings(parameters: readonly string[]): Settings | undefined {
  const options = {
    device: { type: "string" },
    tokens: { type: "string" },
    columns: { type: "string" },
    repeats: { type: "string" },
    help: { type: "boolean" },
  } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: parameters.filter((one) => one !== "--"), options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
  const { values, positionals } = parsed;
  if (positionals.length > 1) throw new UsageError(`expected at most one file, received ${positionals.join(", ")}.`);
  if (values.help) return undefined;
  return {
    path: positionals[0],
    device: values.device,
    tokens: whole("tokens", values.tokens, 2048),
    columns: whole("columns", values.columns, 2048),
    repeats: whole("repeats", values.repeats, 7),
  };
}
