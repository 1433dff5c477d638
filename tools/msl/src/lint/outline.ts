import { matchBracket } from "../kernel/bracket.js";
import type { ExpandedToken } from "../preprocess/expand.js";

/** A function's definition or declaration: indices of tokens. */
export interface FunctionOutline {
  readonly kind: "function";
  /** First token of the declaration, and its name. */
  readonly first: number;
  readonly name: number;
  /** Brackets of its parameters. */
  readonly open: number;
  readonly close: number;
  /** Braces of its body; null for a declaration. */
  readonly body: { readonly open: number; readonly close: number } | null;
  /** Whether it belongs to a class. */
  readonly member: boolean;
}

/** A variable or a data member, or an alias of a type: tokens [first, last). */
export interface VariableOutline {
  readonly kind: "variable" | "alias";
  readonly first: number;
  readonly last: number;
  readonly member: boolean;
}

/** What a file declares outside of its functions. */
export type Outline = FunctionOutline | VariableOutline;

const CLASSES: ReadonlySet<string> = new Set(["struct", "class", "union"]);
const SILENT: ReadonlySet<string> = new Set(["static_assert", "friend", "enum"]);

/** Reads the declarations of tokens [from, to), those in namespaces and classes included. */
export function outlineOf(tokens: readonly ExpandedToken[], from = 0, to = tokens.length, member = false): Outline[] {
  const outlines: Outline[] = [];
  for (let first = from; first < to; ) {
    first = skipTemplate(tokens, first);
    const { end, parameters, block, assigned } = readDeclaration(tokens, first, to);
    const words = tokens.slice(first, block ?? end);
    const has = (names: ReadonlySet<string>) => words.some(({ text }) => names.has(text));
    const isClass = has(CLASSES) && parameters === null && block !== null && !assigned;
    if (words[0]?.text === "namespace" && block !== null) {
      outlines.push(...outlineOf(tokens, block + 1, matchBracket(tokens, block), false));
    } else if (isClass) {
      outlines.push(...outlineOf(tokens, block + 1, matchBracket(tokens, block), true));
    } else if (words[0]?.text === "using" || words[0]?.text === "typedef") {
      outlines.push({ kind: "alias", first, last: end, member });
    } else if (parameters !== null && !assigned && !SILENT.has(words[0]?.text ?? "")) {
      const { name, open } = parameters;
      const body = block === null ? null : { open: block, close: matchBracket(tokens, block) };
      outlines.push({ kind: "function", first, name, open, close: matchBracket(tokens, open), body, member });
    } else if (words.length > 1 && !has(SILENT) && !(has(CLASSES) && words.length <= 2) && words[1]?.text !== ":") {
      outlines.push({ kind: "variable", first, last: end, member });
    }
    first = end + 1;
  }
  return outlines;
}

/** Index behind `template <…>`, however many of them. */
function skipTemplate(tokens: readonly ExpandedToken[], first: number): number {
  let index = first;
  while (tokens[index]?.text === "template") {
    let depth = 0;
    do {
      index += 1;
      const text = tokens[index]?.text;
      depth += text === "<" ? 1 : text === ">" ? -1 : text === ">>" ? -2 : 0;
    } while (depth > 0 && index < tokens.length);
    index += 1;
  }
  return index;
}

/** Reads up to the `;` or the body that ends a declaration. */
function readDeclaration(tokens: readonly ExpandedToken[], first: number, to: number) {
  let parameters: { name: number; open: number } | null = null;
  let block: number | null = null;
  let assigned = false;
  for (let index = first; index < to; index += 1) {
    const { text } = tokens[index] as ExpandedToken;
    const before = tokens[index - 1];
    if (text === ";") return { end: index, parameters, block, assigned };
    if (text === "=" && before?.text !== "operator" && parameters === null) assigned = true;
    if (text === ":" && parameters === null && ["public", "private", "protected"].includes(before?.text ?? "")) {
      return { end: index, parameters, block, assigned };
    }
    if (text === "(" || text === "[") {
      const isCall = before?.text === "operator" && text === "("; // operator()(…)
      if (text === "(" && parameters === null && !assigned && !isCall && before?.text !== "decltype") {
        parameters = { name: index - 1, open: index };
      }
      index = matchBracket(tokens, index);
    } else if (text === "{") {
      const close = matchBracket(tokens, index);
      // a member's initialiser stands between a constructor's parameters and its body
      const isInitialiser =
        parameters !== null && before?.kind === "identifier" && !/^(const|noexcept)$/.test(before.text);
      if (!isInitialiser && !assigned) block = index;
      index = close;
      if (parameters !== null && !isInitialiser && !assigned) return { end: index, parameters, block, assigned };
      if (tokens[first]?.text === "namespace") return { end: index, parameters, block, assigned };
    }
  }
  return { end: to, parameters, block, assigned };
}
