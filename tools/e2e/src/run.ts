import { execFile } from "node:child_process";

/** What a finished command left. */
export interface Finished {
  /** Exit status; `null` when a signal or the time limit ended it. */
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Where and how a command runs. */
export interface RunOptions {
  /** Working directory. */
  directory: string;
  /** The whole environment: nothing is inherited. */
  environment: NodeJS.ProcessEnv;
}

/** Two minutes: an install on a slow machine, and far less than a hang. */
const limit = 120_000;

/** Runs a command to its end, whatever its status. */
export function attempt(command: string, args: string[], { directory, environment }: RunOptions): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd: directory, env: environment, timeout: limit, maxBuffer: 1 << 26 };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      // Without a process there is no exit code: the message alone says why.
      resolve({ status: child.exitCode, stdout, stderr: child.pid === undefined ? String(error) : stderr });
    });
    child.stdin?.end();
  });
}

/**
 * Runs a command that has to end with 0.
 *
 * @returns Its standard output.
 * @throws Error with everything that it printed.
 */
export async function run(command: string, args: string[], options: RunOptions): Promise<string> {
  const { status, stdout, stderr } = await attempt(command, args, options);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/**
 * This process's environment without what package managers, test runners and meTile's own settings add to it.
 *
 * NODE_PATH is among it: pnpm's command shims set it to the workspace's packages, which would then be found everywhere.
 */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(npm_|pnpm_|turbo_|metile_|vitest|node_options$|node_path$|node_env$|init_cwd$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
