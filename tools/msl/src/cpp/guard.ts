import { canonicalType, type Parameter, spell } from "../kernel/parameter.js";
import type { KernelSyntax } from "../kernel/parse.js";
import type { ExpandedToken } from "../preprocess/expand.js";

/** A leading `if (index >= limit) return;` that the loop over threads obeys instead. */
export interface Guard {
  /** The limit as C++, made of constants of the kernel. */
  readonly limit: string;
  /** Index of the token behind the statement. */
  readonly next: number;
}

/**
 * Finds the guard of an elementwise kernel: a loop with a bound vectorises, one with a test in each turn does not.
 *
 * It is taken where the index is the thread's x in the grid and the limit is computed from the kernel's constants.
 */
export function findGuard(tokens: readonly ExpandedToken[], kernel: KernelSyntax): Guard | null {
  const index = kernel.parameters.find(({ attributes }) =>
    attributes.some(({ name }) => name.text === "thread_position_in_grid"),
  );
  let at = kernel.open + 1;
  const accept = (...texts: string[]) => {
    if (!texts.every((text, offset) => tokens[at + offset]?.text === text)) return false;
    at += texts.length;
    return true;
  };
  if (index === undefined || !accept("if", "(")) return null;
  if (!acceptIndex(index, accept) || !accept(">=")) return null;
  const begin = at;
  for (let depth = 0; depth > 0 || tokens[at]?.text !== ")"; at += 1) {
    const token = tokens[at];
    if (token === undefined || at >= kernel.close || !isConstant(token, kernel)) return null;
    depth += token.text === "(" ? 1 : token.text === ")" ? -1 : 0;
  }
  const limit = spell(tokens.slice(begin, at));
  if (limit === "" || !accept(")")) return null;
  return accept("return", ";") || accept("{", "return", ";", "}") ? { limit, next: at } : null;
}

function acceptIndex({ name, spelling }: Parameter, accept: (...texts: string[]) => boolean): boolean {
  const scalar = !/[23]$/.test(canonicalType(spelling, new Map()));
  return scalar ? accept(name.text) : accept(name.text, ".", "x");
}

/** Whether a token may stand in a limit: an unsigned constant of the kernel, a whole number, or arithmetic on them. */
function isConstant(token: ExpandedToken, { parameters }: KernelSyntax): boolean {
  if (token.kind === "number") return /^\d+[uUlL]*$/.test(token.text);
  if (token.kind !== "identifier") return ["(", ")", "+", "-", "*", "/"].includes(token.text);
  const parameter = parameters.find(({ name }) => name.text === token.text);
  return parameter?.space === "constant" && parameter.indirection === "&" && /^u(?:int|long)$/.test(parameter.spelling);
}
