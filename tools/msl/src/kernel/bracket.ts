import { errorAt, type Token } from "../text/token.js";

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const CLOSERS: ReadonlySet<string> = new Set(CLOSING.values());

/**
 * Index of the bracket that closes the one at an index.
 *
 * @throws MslError when brackets do not balance
 */
export function matchBracket(tokens: readonly Token[], open: number): number {
  const expected: { close: string; token: Token }[] = [];
  for (let index = open; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (token.kind !== "punctuator") continue;
    const close = CLOSING.get(token.text);
    if (close !== undefined) {
      expected.push({ close, token });
      continue;
    }
    if (!CLOSERS.has(token.text)) continue;
    const innermost = expected.pop();
    if (innermost?.close !== token.text) {
      const { line } = (innermost?.token ?? token).source.position((innermost?.token ?? token).start);
      throw errorAt(token, `${token.text} meets the ${innermost?.token.text} of line ${line}`);
    }
    if (expected.length === 0) return index;
  }
  const innermost = expected.at(-1)?.token ?? (tokens[open] as Token);
  throw errorAt(innermost, `this ${innermost.text} is never closed`);
}

/** Splits tokens at the commas that lie outside brackets; no tokens give no parts. */
export function splitAtCommas<T extends Token>(tokens: readonly T[]): T[][] {
  if (tokens.length === 0) return [];
  const parts: T[][] = [[]];
  let depth = 0;
  let angle = 0;
  for (const token of tokens) {
    if (CLOSING.has(token.text)) depth += 1;
    else if (CLOSERS.has(token.text)) depth -= 1;
    else if (depth === 0) angle += ANGLES.get(token.text) ?? 0; // in brackets < is an operator
    if (token.text === "," && depth === 0 && angle === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

const ANGLES: ReadonlyMap<string, number> = new Map([
  ["<", 1],
  [">", -1],
  [">>", -2],
]);
