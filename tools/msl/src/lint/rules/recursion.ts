import type { ExpandedToken } from "../../preprocess/expand.js";
import type { Finding } from "../finding.js";
import type { FunctionOutline, Outline } from "../outline.js";

/**
 * Finds functions that call themselves, perhaps by way of others.
 *
 * Functions are told apart by name, so that overloaded ones are left out: one `add` that calls another is no recursion.
 */
export function findRecursion(tokens: readonly ExpandedToken[], outlines: readonly Outline[]): Finding[] {
  const functions = new Map<string, FunctionOutline | null>();
  for (const outline of outlines) {
    if (outline.kind !== "function" || outline.body === null) continue;
    const name = (tokens[outline.name] as ExpandedToken).text;
    functions.set(name, functions.has(name) ? null : outline);
  }
  const calls = new Map<string, Set<string>>();
  for (const [name, outline] of functions) {
    if (outline !== null) calls.set(name, calledIn(tokens, outline, functions));
  }
  return [...calls.keys()].flatMap((name) => {
    const path = pathTo(name, name, calls, new Set());
    if (path === null) return [];
    const token = tokens[(functions.get(name) as FunctionOutline).name] as ExpandedToken;
    return [{ token, reason: `Metal has no recursion: ${[name, ...path].join(" calls ")}` }];
  });
}

function calledIn(
  tokens: readonly ExpandedToken[],
  { body, member }: FunctionOutline,
  functions: ReadonlyMap<string, FunctionOutline | null>,
): Set<string> {
  const called = new Set<string>();
  const { open, close } = body as { open: number; close: number };
  for (let index = open; index < close; index += 1) {
    const { kind, text } = tokens[index] as ExpandedToken;
    const target = kind === "identifier" ? functions.get(text) : undefined;
    if (!target || !["(", "<"].includes(tokens[index + 1]?.text ?? "")) continue;
    const before = tokens[index - 1]?.text ?? "";
    // metal::exp and p.exp are others than the file's own exp, and `float exp(…)` is a variable
    const isElsewhere = before === "::" || before === "." || (before === "->" && tokens[index - 2]?.text !== "this");
    const isDeclared = tokens[index - 1]?.kind === "identifier" && !/^(?:return|else|do|case)$/.test(before);
    if (!isElsewhere && !isDeclared && (member || !target.member)) called.add(text);
  }
  return called;
}

/** The calls that lead from one function to another, or null where none do. */
function pathTo(
  from: string,
  target: string,
  calls: ReadonlyMap<string, ReadonlySet<string>>,
  visited: Set<string>,
): string[] | null {
  for (const next of calls.get(from) ?? []) {
    if (next === target) return [target];
    if (visited.has(next)) continue;
    visited.add(next);
    const rest = pathTo(next, target, calls, visited);
    if (rest !== null) return [next, ...rest];
  }
  return null;
}
