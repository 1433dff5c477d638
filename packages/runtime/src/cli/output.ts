/** Where a command writes, and whence it runs: a process, or a test in place of one. */
export interface CommandContext {
  /** The folder that the command was called in. */
  readonly folder: string;
  /** Writes to the standard output. */
  out(text: string): void;
  /** Writes to the standard error. */
  error(text: string): void;
}
