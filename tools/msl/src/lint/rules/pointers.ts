import { splitAtCommas } from "../../kernel/bracket.js";
import type { ExpandedToken } from "../../preprocess/expand.js";
import type { Finding } from "../finding.js";
import type { Outline } from "../outline.js";

const SPACES: ReadonlySet<string> = new Set(["device", "constant", "threadgroup", "thread"]);
const MARKS: ReadonlySet<string> = new Set(["*", "&", "&&"]);
const QUALIFIERS: ReadonlySet<string> = new Set(["const", "volatile", "constexpr"]);
/** Words that begin a statement which is no declaration; `auto` takes the address space of what it is given. */
const STATEMENTS: ReadonlySet<string> = new Set(["return", "else", "case", "delete", "throw", "auto", "do"]);

/** Finds pointers and references that do not say which memory they reach. */
export function findPointers(tokens: readonly ExpandedToken[], outlines: readonly Outline[]): Finding[] {
  return outlines.flatMap((outline) => {
    if (outline.kind !== "function") return inDeclaration(tokens.slice(outline.first, outline.last));
    const { first, name, open, close, body } = outline;
    const head = tokens.slice(first, name);
    const isOperator = head.some(({ text }) => text === "operator") || tokens[name]?.text === "operator";
    return [
      ...(isOperator ? [] : inDeclaration(head)),
      ...splitAtCommas(tokens.slice(open + 1, close)).flatMap(inDeclaration),
      ...(body === null ? [] : inBody(tokens, body.open, body.close)),
    ];
  });
}

/** A parameter, a member, an alias or the type before a function's name. */
function inDeclaration(declaration: readonly ExpandedToken[]): Finding[] {
  let depth = 0;
  for (const token of declaration) {
    const { text } = token;
    if (SPACES.has(text) || text === "auto") return [];
    if (text === "=" && declaration[0]?.text !== "using") return [];
    if ("([{".includes(text)) depth += 1;
    else if (")]}".includes(text)) depth -= 1;
    else if (depth === 0 && MARKS.has(text)) return [finding(token)];
  }
  return [];
}

/** Statements such as `float* p = …`: a type, a mark and a name. */
function inBody(tokens: readonly ExpandedToken[], open: number, close: number): Finding[] {
  const findings: Finding[] = [];
  let depth = 0; // of round brackets: in those of `for`, a statement is an expression
  for (let start = open + 1; start < close; start += 1) {
    const before = tokens[start - 1]?.text;
    depth += before === "(" ? 1 : before === ")" ? -1 : 0;
    const begins = before === ";" || before === "{" || before === "}" || before === "(" || before === ")";
    if (!begins) continue;
    let index = start;
    while (QUALIFIERS.has(tokens[index]?.text ?? "")) index += 1;
    if (tokens[index]?.kind !== "identifier" || STATEMENTS.has(tokens[index]?.text ?? "")) continue;
    index = endOfType(tokens, index);
    const mark = tokens[index];
    if (mark === undefined || !MARKS.has(mark.text)) continue;
    while (MARKS.has(tokens[index]?.text ?? "") || QUALIFIERS.has(tokens[index]?.text ?? "")) index += 1;
    const follower = tokens[index + 1]?.text ?? "";
    const declares = followersOf(before, depth);
    if (tokens[index]?.kind === "identifier" && declares.includes(follower)) findings.push(finding(mark));
  }
  return findings;
}

/** What follows the name of a variable where `a * b` may be a product too. */
function followersOf(before: string | undefined, depth: number): string[] {
  if (depth > 0 || before === ")") return ["=", ":"];
  return before === "{" ? ["=", ";"] : ["=", ";", ",", "[", "{", "("]; // {a * b, c} makes a value
}

/** Index behind a type's name: `float`, `metal::vec<float, 4>`, `unsigned int`. */
function endOfType(tokens: readonly ExpandedToken[], first: number): number {
  let index = first + 1;
  while (tokens[index]?.text === "::" || QUALIFIERS.has(tokens[index]?.text ?? "")) {
    index += tokens[index]?.text === "::" ? 2 : 1;
  }
  if (tokens[index]?.text !== "<") return index;
  let depth = 0;
  for (let at = index; at < tokens.length; at += 1) {
    const text = tokens[at]?.text ?? "";
    if (text === ";" || text === "{") return index;
    depth += text === "<" ? 1 : text === ">" ? -1 : text === ">>" ? -2 : 0;
    if (depth <= 0) return at + 1;
  }
  return index;
}

function finding(token: ExpandedToken): Finding {
  const noun = token.text === "*" ? "pointer" : "reference";
  return { token, reason: `this ${noun} has no address space; write device, constant, threadgroup or thread` };
}
