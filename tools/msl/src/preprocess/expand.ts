import { Source } from "../text/source.js";
import { errorAt, type Site, type Token, tokenize } from "../text/token.js";
import type { Macro } from "./macro.js";

/** A token after macros were replaced. */
export interface ExpandedToken extends Token {
  /** The outermost use of a macro that made it; undefined where it stands in the text itself. */
  readonly site?: Site;
}

/** A token on its way: macros that it may no longer name, by Prosser's algorithm. */
interface Pending extends ExpandedToken {
  readonly hidden?: ReadonlySet<string>;
}

/**
 * Replaces macros in a run of tokens, as C++ does: arguments are expanded first, and a macro is not replaced within its
 * own replacement.
 *
 * @param macros - object- and function-like macros by name
 * @throws MslError when an argument list has no end or too few or many arguments
 */
export function expand(tokens: readonly Token[], macros: ReadonlyMap<string, Macro>): ExpandedToken[] {
  const output: ExpandedToken[] = [];
  const input: Pending[] = [...tokens].reverse(); // a stack: the next token is last
  for (let token = input.pop(); token !== undefined; token = input.pop()) {
    const macro = token.kind === "identifier" ? macros.get(token.text) : undefined;
    if (macro === undefined || token.hidden?.has(macro.name)) {
      output.push(token);
      continue;
    }
    if (macro.parameters === null) {
      const site = token.site ?? { source: token.source, start: token.start, end: token.end };
      pushAll(input, replace(macro, [], token, site, new Set(token.hidden).add(macro.name), macros));
      continue;
    }
    if (input.at(-1)?.text !== "(") {
      output.push(token); // the name of a function-like macro alone is an ordinary name
      continue;
    }
    const { list, close } = takeArguments(token, input);
    const site = token.site ?? { source: token.source, start: token.start, end: close.end };
    const hidden = new Set([...(token.hidden ?? [])].filter((name) => close.hidden?.has(name))).add(macro.name);
    pushAll(input, replace(macro, matchArguments(macro, list, token), token, site, hidden, macros));
  }
  return output;
}

function pushAll(input: Pending[], tokens: readonly Pending[]): void {
  for (let index = tokens.length - 1; index >= 0; index -= 1) input.push(tokens[index] as Pending);
}

/** Takes `( … )` off the input and splits it at its commas. */
function takeArguments(name: Token, input: Pending[]): { list: Pending[][]; close: Pending } {
  input.pop();
  const list: Pending[][] = [[]];
  let depth = 0;
  for (let token = input.pop(); token !== undefined; token = input.pop()) {
    if (token.text === ")" && depth === 0) return { list, close: token };
    if (token.text === "(") depth += 1;
    else if (token.text === ")") depth -= 1;
    if (token.text === "," && depth === 0) list.push([]);
    else list.at(-1)?.push(token);
  }
  throw errorAt(name, `the arguments of macro ${name.text} have no closing )`);
}

function matchArguments(macro: Macro, list: Pending[][], use: Token): Pending[][] {
  const wanted = macro.parameters?.length ?? 0;
  if (wanted === 0 && list.length === 1 && list[0]?.length === 0) return [];
  if (macro.variadic) {
    const fixed = list.slice(0, wanted - 1);
    const rest = list.slice(wanted - 1).flatMap((part, index) => (index === 0 ? part : [comma(use), ...part]));
    if (fixed.length === wanted - 1) return [...fixed, rest];
  } else if (list.length === wanted) return list;
  const count = `${wanted} argument${wanted === 1 ? "" : "s"}`;
  throw errorAt(use, `macro ${macro.name} takes ${count}, but ${list.length} came`);
}

function comma(use: Token): Pending {
  return { ...use, kind: "punctuator", text: ",", spaced: false };
}

/** A macro's body with arguments put in. */
function replace(
  macro: Macro,
  values: readonly Pending[][],
  use: Pending,
  site: Site,
  hidden: ReadonlySet<string>,
  macros: ReadonlyMap<string, Macro>,
): Pending[] {
  const argumentOf = (token: Token | undefined): Pending[] | undefined => {
    const index = token?.kind === "identifier" ? (macro.parameters?.indexOf(token.text) ?? -1) : -1;
    return index === -1 ? undefined : (values[index] ?? []);
  };
  const result: Pending[] = [];
  const { body } = macro;
  for (let index = 0; index < body.length; index += 1) {
    const token = body[index] as Token;
    const next = body[index + 1];
    if (token.text === "#" && macro.parameters !== null && argumentOf(next) !== undefined) {
      result.push(stringize(argumentOf(next) as Pending[], token));
      index += 1;
      continue;
    }
    if (token.text === "##" && macro.variadic && next?.text === "__VA_ARGS__" && body[index - 1]?.text === ",") {
      // as GNU compilers and Apple's do: the comma goes when nothing follows it, and nothing is pasted
      const rest = argumentOf(next) ?? [];
      if (rest.length === 0) result.pop();
      else result.push(...expand(rest, macros));
      index += 1;
      continue;
    }
    if (token.text === "##" && index > 0 && next !== undefined) {
      paste(result, argumentOf(next) ?? [next], use);
      index += 1;
      continue;
    }
    const value = argumentOf(token);
    if (value === undefined) result.push(token);
    else if (next?.text !== "##") result.push(...expand(value, macros));
    else result.push(...(value.length === 0 ? [{ ...token, text: NOTHING }] : value));
  }
  const tokens = result.filter(({ text }) => text !== NOTHING);
  return tokens.map((token, index) => ({
    ...token,
    spaced: index === 0 ? use.spaced : token.spaced,
    site,
    hidden: (token as Pending).hidden ? new Set([...((token as Pending).hidden ?? []), ...hidden]) : hidden,
  }));
}

/** Text of the token that stands for an empty argument beside `##`: pasting leaves the other side as it is. */
const NOTHING = "";

/** `#parameter`: the argument's spelling as a string. */
function stringize(value: readonly Pending[], at: Token): Pending {
  const spelling = value.map(({ text, spaced }, index) => (spaced && index > 0 ? ` ${text}` : text)).join("");
  return { ...at, kind: "string", text: JSON.stringify(spelling) };
}

/** `left ## right`: joins the last token so far and the first of `right`. */
function paste(result: Pending[], right: readonly Pending[], use: Token): void {
  const [head, ...tail] = right;
  if (head === undefined) return;
  const left = result.pop() as Pending; // ## is never first in a body
  const joined = tokenize(new Source(use.source.name, left.text + head.text));
  const only = joined[0];
  if (joined.length !== 1 || only === undefined) {
    throw errorAt(use, `pasting "${left.text}" and "${head.text}" does not give one token`);
  }
  result.push({ ...left, kind: only.kind, text: only.text }, ...tail);
}
