/**
 * The `metile` command.
 *
 * @module
 */
import { runCommand } from "./cli/command.js";
import { doctor } from "./doctor/command.js";

const commands = { doctor };

/** Whoever read the output has seen enough, as `head` does: nothing failed here, and the rest goes nowhere. */
function allowClosing(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/** Runs what this process was called with, and leaves its exit code. */
export async function run(): Promise<void> {
  allowClosing(process.stdout);
  allowClosing(process.stderr);
  process.exitCode = await runCommand(commands, process.argv.slice(2), {
    folder: process.cwd(),
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
}
