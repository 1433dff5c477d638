import { spawn, spawnSync } from "node:child_process";
import { CompileError } from "./errors.js";

/** A program to run: command line, program first, and variables to add to the environment. */
export interface Command {
  readonly line: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs a command and resolves to what it wrote to standard output.
 *
 * @throws CompileError when it cannot be started or ends with another status than 0
 */
export function runCommand({ line, environment }: Command): Promise<string> {
  const [program, ...parameters] = line;
  if (program === undefined) throw new RangeError("an empty command line");
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let diagnostics = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      diagnostics += text;
    });
    child.on("error", (error) => {
      reject(new CompileError({ command: line, status: null, diagnostics: error.message }));
    });
    child.on("close", (status) => {
      if (status === 0) resolve(output);
      else reject(new CompileError({ command: line, status, diagnostics }));
    });
  });
}

/** As {@link runCommand}, holding the thread until the program ends. */
export function runCommandSync({ line, environment }: Command): string {
  const [program, ...parameters] = line;
  if (program === undefined) throw new RangeError("an empty command line");
  const { error, status, stdout, stderr } = spawnSync(program, parameters, {
    env: { ...process.env, ...environment },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) {
    throw new CompileError({ command: line, status: null, diagnostics: error.message });
  }
  if (status !== 0) throw new CompileError({ command: line, status, diagnostics: stderr });
  return stdout;
}

/** A shell that runs its arguments and then tells, on standard output, how long they used a processor. */
const TIMED = '"$@"; status=$?; times; exit $status';

/** The second line that `times` prints: user and system time of programs that the shell ran, `0m1.52s 0m0.11s`. */
const TIMES = /\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/;

/**
 * A command that does the same and can be measured: {@link processorSeconds} of what it writes to standard output is
 * the processor time it took. Unlike the time on a clock, that does not grow while other programs use the machine.
 */
export function timed({ line, environment }: Command): Command {
  return process.platform === "win32"
    ? { line, environment }
    : { line: ["sh", "-c", TIMED, "sh", ...line], environment };
}

/** Seconds that a {@link timed} command used a processor; 0 where the system does not tell. */
export function processorSeconds(output: string): number {
  const [, userMinutes, userSeconds, systemMinutes, systemSeconds] = TIMES.exec(output) ?? [];
  return (
    Number(userMinutes ?? 0) * 60 +
    Number(userSeconds ?? 0) +
    Number(systemMinutes ?? 0) * 60 +
    Number(systemSeconds ?? 0)
  );
}
