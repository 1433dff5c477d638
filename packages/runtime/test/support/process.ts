import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The package: modules run here find the built `@metile/runtime` by its name. */
export const packageFolder = fileURLToPath(new URL("../../", import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Flags of Node. */
  readonly flags?: readonly string[];
  /** Variables over those of this process, without its METILE_* ones; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where the module lies, for its imports. */
  readonly folder?: string;
}

function start(
  source: string,
  { flags = [], env = {}, folder = packageFolder }: RunOptions,
): ChildProcessWithoutNullStreams {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(METILE_|NODE_|VITEST)/.test(name)),
  );
  return spawn(process.execPath, [...flags, "--input-type=module", "--eval", source], {
    cwd: folder,
    env: { ...clean, ...env },
  });
}

/** Starts a module and hands it, at its first line of output, to `act`; resolves when it has ended. */
export function runModule(
  source: string,
  options: RunOptions = {},
  act?: (child: ChildProcessWithoutNullStreams) => void,
): Promise<Outcome> {
  const child = start(source, options);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    if (stdout === "") act?.(child);
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Runs a module that prints one value as JSON; anything but a clean end with no word of complaint fails. */
export async function evaluate<Value>(source: string, options: RunOptions = {}): Promise<Value> {
  const { code, signal, stdout, stderr } = await runModule(source, options);
  if (code !== 0 || stderr !== "") throw new Error(`the process ended with ${code ?? signal}:\n${stderr}\n${stdout}`);
  return JSON.parse(stdout) as Value;
}

/** For modules: prints an error's name, message and facts. */
export const reportErrors = `
const report = (run) => {
  try { return { result: run() }; }
  catch (error) { return { name: error.name, message: error.message, ...error }; }
};
`;
