import { matchBracket } from "../kernel/bracket.js";
import type { ExpandedToken } from "../preprocess/expand.js";

/** A variable that lies in threadgroup memory. */
export interface ThreadgroupVariable {
  /** Index of the first token of its declaration. */
  readonly start: number;
  /** Tokens of its type, and its name. */
  readonly type: readonly ExpandedToken[];
  readonly name: ExpandedToken;
  /** For each of its dimensions, the tokens between brackets. */
  readonly dimensions: readonly (readonly ExpandedToken[])[];
  /** Its `=`, `{` or `(`, where it has an initialiser. */
  readonly initialiser: ExpandedToken | null;
}

/** The declarations of variables in threadgroup memory among tokens [from, to). */
export function threadgroupVariables(
  tokens: readonly ExpandedToken[],
  from: number,
  to: number,
): ThreadgroupVariable[] {
  const found: ThreadgroupVariable[] = [];
  for (let index = from; index < to; index += 1) {
    if (!startsStatement(tokens, index)) continue;
    const start = index;
    while (["static", "const", "volatile"].includes(tokens[index]?.text ?? "")) index += 1;
    if (tokens[index]?.text !== "threadgroup") {
      index = start;
      continue;
    }
    const head: ExpandedToken[] = [];
    let at = index + 1;
    while (at < to && !["[", "=", ";", ",", "{", "(", ")"].includes(tokens[at]?.text ?? "")) {
      head.push(tokens[at] as ExpandedToken);
      at += 1;
    }
    // a pointer or reference to threadgroup memory lies in a thread's own
    if (head.some(({ text }) => text === "*" || text === "&")) continue;
    for (let name = head.pop(); name?.kind === "identifier"; ) {
      const dimensions: ExpandedToken[][] = [];
      while (tokens[at]?.text === "[") {
        const close = matchBracket(tokens, at);
        dimensions.push(tokens.slice(at + 1, close));
        at = close + 1;
      }
      const next = tokens[at];
      const initialiser = next !== undefined && ["=", "{", "("].includes(next.text) ? next : null;
      found.push({ start, type: head, name, dimensions, initialiser });
      if (next?.text !== ",") break;
      name = tokens[at + 1];
      at += 2;
    }
  }
  return found;
}

function startsStatement(tokens: readonly ExpandedToken[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  return before === undefined || before === ";" || before === "{" || before === "}" || before === ")";
}
