import { opensAttribute } from "../kernel/attribute.js";
import { matchBracket } from "../kernel/bracket.js";
import type { ExpandedToken } from "../preprocess/expand.js";
import { pointerCasts } from "./cast.js";
import { VECTOR_TYPES } from "./prelude/types.js";
import { threadgroupVariables } from "./threadgroup.js";
import type { View } from "./view.js";

/**
 * A view as C++ that clang reads after the prelude: one line for each token, so that the number of a line is the index of
 * the token that it complains of.
 *
 * Attributes and `kernel` go; variables in threadgroup memory become static, for C++ has no other place for them.
 */
export function translate({ tokens, kernels }: View): string[] {
  const lines = tokens.map((token, index) => spellToken(token, tokens[index - 1], tokens[index + 1]));
  const erase = (from: number, to: number) => lines.fill("", from, to);
  for (let index = 0; index < tokens.length; ) {
    const isPragma = tokens[index]?.text === "_Pragma" && tokens[index + 1]?.text === "(";
    const last = opensAttribute(tokens, index)
      ? matchBracket(tokens, index)
      : isPragma
        ? matchBracket(tokens, index + 1)
        : -1;
    if (last !== -1) erase(index, last + 1);
    index = Math.max(index, last) + 1;
  }
  for (const kernel of kernels) {
    for (let index = kernel.first; index < kernel.open; index += 1) {
      if (tokens[index]?.text === "kernel") lines[index] = "";
    }
    // several names may share a declaration
    const starts = new Set(threadgroupVariables(tokens, kernel.open, kernel.close).map(({ start }) => start));
    for (const start of starts) lines[start] = `static ${lines[start]}`;
  }
  for (const { open, close, last } of pointerCasts(tokens)) {
    lines[open] = "lint_cast<";
    lines[close] = `>(${lines[close]?.slice(1)}`;
    lines[last] = `${lines[last]})`;
  }
  return lines;
}

/** Literals and constructors that C++ spells otherwise. */
function spellToken(
  { kind, text }: ExpandedToken,
  previous: ExpandedToken | undefined,
  next: ExpandedToken | undefined,
): string {
  if (kind === "number" && !/^0[xX]/.test(text)) {
    const [, digits, suffix] = /^(.*?\d\.?)(h|H|bf|BF)$/.exec(text) ?? [];
    if (digits !== undefined) {
      const type = suffix?.toLowerCase() === "h" ? "half" : "bfloat";
      return `((${type})${/[.eE]/.test(digits) ? digits : `${digits}.`}f)`;
    }
  }
  // clang builds vectors of several values in braces alone
  const isConstructor = VECTOR_TYPES.has(text) && next?.text === "(" && previous?.text !== "operator";
  return isConstructor ? `make_${text}` : text.replace(/\n/g, " "); // a raw string may have line ends
}
