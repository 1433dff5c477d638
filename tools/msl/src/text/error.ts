import type { Source } from "./source.js";

/** Facts from which {@link MslError} builds its message. */
export interface MslErrorFacts {
  readonly source: Source;
  /** Offset of the place in the source's text. */
  readonly offset: number;
  /** One sentence without a full stop: what is wrong and what is wanted. */
  readonly reason: string;
  /** Lines that follow the excerpt: the include chain, or a compiler's notes. */
  readonly notes?: readonly string[];
}

/**
 * Something is wrong with Metal source text; the message shows where.
 *
 * @example
 * ```ts
 * try { parseKernels(text); } catch (error) {
 *   if (error instanceof MslError) console.log(error.line, error.reason); // 3 "buffer index 0 is used twice …"
 * }
 * ```
 */
export class MslError extends SyntaxError {
  override readonly name = "MslError";
  /** Name of the file. */
  readonly file: string;
  /** Line and column, from 1. */
  readonly line: number;
  readonly column: number;
  /** The sentence alone. */
  readonly reason: string;

  constructor({ source, offset, reason, notes = [] }: MslErrorFacts) {
    const { line, column } = source.position(offset);
    super([`${source.name}:${line}:${column}: ${reason}`, excerpt(source, line, column), ...notes].join("\n"));
    this.file = source.name;
    this.line = line;
    this.column = column;
    this.reason = reason;
  }
}

/** A line of source with a caret under a column, as compilers show it. */
export function excerpt(source: Source, line: number, column: number): string {
  const text = source.line(line);
  const gutter = String(line).padStart(4);
  // tabs stay tabs under tabs, so that the caret meets its character at any tab width
  const before = text.slice(0, column - 1).replace(/[^\t]/g, " ");
  return `${gutter} | ${text}\n${" ".repeat(gutter.length)} | ${before}^`;
}
