import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { hasStandin, type MetalOptions, metalEnvironment } from "../../src/index.js";

export type { StandinReport } from "@metile/standin";
export { hasStandin, metalEnvironment };

const folder = fileURLToPath(new URL("../../", import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a module in a process of its own, with these METILE_ variables alone. */
export function runModule(source: string, variables: Readonly<Record<string, string>>): Promise<Outcome> {
  const clean = Object.entries(process.env).filter(([name]) => !/^(METILE_|NODE_|VITEST)/.test(name));
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    cwd: folder,
    env: { ...Object.fromEntries(clean), ...variables },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
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
export async function evaluate<Value>(
  source: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Value> {
  const { code, signal, stdout, stderr } = await runModule(source, variables);
  if (code !== 0 || stderr !== "") throw new Error(`the process ended with ${code ?? signal}:\n${stderr}\n${stdout}`);
  return JSON.parse(stdout) as Value;
}

/** What modules start with: the runtime, and the stand-in's counters and faults. */
const prelude = `
import { device, tensor, zeros, scope, compileKernels } from "@metile/runtime";
import { openStandin } from "@metile/standin";
const standin = openStandin();
const metal = device("metal");
const report = (error) => ({ name: error.name, message: error.message });
const failure = async (run) => { try { await run(); return undefined; } catch (error) { return report(error); } };
const print = (value) => console.log(JSON.stringify(value));
`;

/** Runs a module on the stand-in; it prints one value. */
export function onMetal<Value>(source: string, options: MetalOptions = {}): Promise<Value> {
  return evaluate<Value>(prelude + source, metalEnvironment(options));
}

/** The same, for modules that are to fail. */
export function failingOnMetal(source: string, options: MetalOptions = {}): Promise<Outcome> {
  return runModule(prelude + source, metalEnvironment(options));
}
