import type { Token } from "../text/token.js";

/** A directive line of a source. */
export interface Directive {
  /** Its `#`. */
  readonly hash: Token;
  /** Its name: `define`, `if`, … ; empty for a `#` alone. */
  readonly name: string;
  /** The tokens behind the name. */
  readonly line: readonly Token[];
  /** Offset behind its last token. */
  readonly end: number;
}

/** Part of a source: a directive, or the tokens between two directives. */
export type Part = Directive | readonly Token[];

/** Whether a part is a directive. */
export function isDirective(part: Part): part is Directive {
  return "hash" in part;
}

/** Splits tokens into directives and the runs between them. */
export function splitDirectives(tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  let run: Token[] = [];
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index] as Token;
    if (token.text !== "#" || !token.leading) {
      run.push(token);
      index += 1;
      continue;
    }
    if (run.length > 0) parts.push(run);
    run = [];
    let next = index + 1;
    while (next < tokens.length && !tokens[next]?.leading) next += 1;
    const [name, ...line] = tokens.slice(index + 1, next);
    parts.push({ hash: token, name: name?.text ?? "", line, end: tokens[next - 1]?.end ?? token.end });
    index = next;
  }
  if (run.length > 0) parts.push(run);
  return parts;
}
