import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Runs a module in a new process of this Node and gives what it wrote to its standard output, without blanks around it.
 *
 * @param module - a JavaScript module
 * @param parameters - what it finds in process.argv from index 2 on
 * @param environment - variables to add
 * @throws Error with its standard error when it fails
 */
export function runModule(
  module: URL,
  parameters: readonly string[] = [],
  environment: Record<string, string> = {},
): string {
  const { status, signal, stdout, stderr, error } = spawnSync(
    process.execPath,
    [fileURLToPath(module), ...parameters],
    {
      encoding: "utf8",
      env: { ...process.env, ...environment },
      timeout: 60_000,
    },
  );
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${module.pathname} ended with ${signal ?? status}: ${stderr}`);
  return stdout.trim();
}
