/** A command line that cannot be followed: its sentence is printed alone, and the process ends with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What parseArgs throws, as a sentence of ours: its own explain how options could have been quoted. */
export function asUsageError(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !code.startsWith("ERR_PARSE_ARGS_")) return error;
  const [first = message] = message.split(/\. |\n/);
  return new UsageError(`${first.replace(/\.$/, "")}.`);
}
