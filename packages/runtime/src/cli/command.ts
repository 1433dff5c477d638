import { version } from "../version.js";
import type { CommandContext } from "./output.js";
import { UsageError } from "./usage.js";

/** One command of `metile`. */
export interface Command {
  /** What it does, in one line. */
  readonly summary: string;
  /** What `metile <command> --help` prints. */
  readonly help: string;
  /** Runs it; gives the exit code. Throws a UsageError for arguments that it does not know. */
  run(parameters: readonly string[], context: CommandContext): Promise<number>;
}

/** Commands by name. */
export type Commands = Readonly<Record<string, Command>>;

function help(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return [
    "Usage: metile <command> [options]",
    "",
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "metile <command> --help tells more of one; metile --version prints the runtime's version.",
    "",
  ].join("\n");
}

function wantsHelp(parameters: readonly string[]): boolean {
  const end = parameters.indexOf("--");
  return (end < 0 ? parameters : parameters.slice(0, end)).some((each) => each === "--help" || each === "-h");
}

/**
 * Runs the command that the parameters name.
 *
 * @param parameters - what stands after `metile`
 * @returns the exit code: the command's own, or 2 where the command line is wrong
 */
export async function runCommand(
  commands: Commands,
  parameters: readonly string[],
  context: CommandContext,
): Promise<number> {
  const [name, ...rest] = parameters;
  try {
    if (name === "--help" || name === "-h") return print(context, help(commands));
    if (name === "--version") return print(context, `${version}\n`);
    if (name === undefined) throw new UsageError("No command was given.");
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined)
      throw new UsageError(`Unknown ${name.startsWith("-") ? "option" : "command"} '${name}'.`);
    if (wantsHelp(rest)) return print(context, command.help);
    return await command.run(rest, context);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const about = name !== undefined && Object.hasOwn(commands, name) ? `metile ${name} --help` : "metile --help";
    context.error(`metile: ${error.message} See: ${about}\n`);
    return 2;
  }
}

function print(context: CommandContext, text: string): number {
  context.out(text);
  return 0;
}
