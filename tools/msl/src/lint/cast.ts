import { matchBracket } from "../kernel/bracket.js";
import type { ExpandedToken } from "../preprocess/expand.js";

/** A cast to a pointer as C writes it. */
export interface PointerCast {
  /** Indices of its brackets, and of the last token of what it casts. */
  readonly open: number;
  readonly close: number;
  readonly last: number;
}

const PREFIX: ReadonlySet<string> = new Set(["*", "&", "-", "+", "!", "~", "++", "--"]);

/** The casts to pointers: `(device const uint4*)from`. C++ lets them change the address space, and Metal does not. */
export function pointerCasts(tokens: readonly ExpandedToken[]): PointerCast[] {
  const casts: PointerCast[] = [];
  tokens.forEach((_, open) => {
    const close = closeOfCast(tokens, open);
    const last = close === -1 ? -1 : lastOfOperand(tokens, close + 1);
    if (last !== -1) casts.push({ open, close, last });
  });
  return casts;
}

/** Index of the bracket that ends `(type*)`, or -1 where none begins. */
function closeOfCast(tokens: readonly ExpandedToken[], open: number): number {
  if (tokens[open]?.text !== "(" || tokens[open + 1]?.kind !== "identifier") return -1;
  for (let index = open + 1; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index] as ExpandedToken;
    if (text === ")") return tokens[index - 1]?.text === "*" ? index : -1;
    if (kind !== "identifier" && kind !== "number" && !["::", "<", ">", ",", "*"].includes(text)) return -1;
  }
  return -1;
}

/** Index of the last token of the operand that begins at an index, or -1 where there is none. */
function lastOfOperand(tokens: readonly ExpandedToken[], first: number): number {
  let index = first;
  while (PREFIX.has(tokens[index]?.text ?? "")) index += 1;
  const inner = closeOfCast(tokens, index);
  if (inner !== -1) return lastOfOperand(tokens, inner + 1);
  const token = tokens[index];
  if (token === undefined || token.text === "const") return -1; // a method's declaration
  if (token.text === "(") index = matchBracket(tokens, index);
  else if (token.kind !== "identifier" && token.kind !== "number") return -1;
  for (let next = tokens[index + 1]; next !== undefined; next = tokens[index + 1]) {
    if (next.text === "[" || next.text === "(") index = matchBracket(tokens, index + 1);
    else if (next.text === "." || next.text === "->" || next.text === "::") index += 2;
    else break;
  }
  return index;
}
