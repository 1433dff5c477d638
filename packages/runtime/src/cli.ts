/**
 * The `metile` command.
 *
 * @module
 */
import { runCommand } from "./cli/command.js";
import { doctor } from "./doctor/command.js";

const commands = { doctor };

/** Runs what this process was called with, and leaves its exit code. */
export async function run(): Promise<void> {
  process.exitCode = await runCommand(commands, process.argv.slice(2), {
    folder: process.cwd(),
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
}
