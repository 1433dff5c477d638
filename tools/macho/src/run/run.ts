import { spawn } from "node:child_process";
import type { Machine } from "./machine.js";

/** What a program did. */
export interface Outcome {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
  readonly seconds: number;
}

/** Runs a program of JavaScript on a machine. `environment` is added to this process's. */
export function runProgram(
  machine: Machine,
  program: string,
  environment: Readonly<Record<string, string>>,
  parameters: readonly string[] = [],
): Promise<Outcome> {
  const [command, ...before] = machine.command;
  if (command === undefined) throw new RangeError("a machine without a command");
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...before, program, ...parameters], {
      env: { ...inherited(), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 300_000,
    });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    child.on("error", reject);
    child.on("close", (status, signal) => {
      resolve({ status, signal, output, errors, seconds: (performance.now() - begun) / 1000 });
    });
  });
}

/** Without what a test runner or another run of ours leaves for its own children. */
function inherited(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(([name]) => !/^(METILE_|NODE_OPTIONS$|VITEST)/.test(name));
  return Object.fromEntries(variables);
}
