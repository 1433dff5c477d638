import type { ExpandedToken } from "../../preprocess/expand.js";
import type { Finding } from "../finding.js";

/** Words of C++ that Metal does not have, and what to do. */
const WORDS: Readonly<Record<string, string>> = {
  double: "there is no double on a GPU; use float",
  goto: "Metal has no goto",
  virtual: "Metal has no virtual functions",
  new: "Metal has no new; memory comes from buffers and from arrays of a fixed size",
  delete: "Metal has no delete; memory comes from buffers and from arrays of a fixed size",
  throw: "Metal has no exceptions; report through a status buffer",
  try: "Metal has no exceptions; report through a status buffer",
  catch: "Metal has no exceptions; report through a status buffer",
  dynamic_cast: "Metal has no dynamic_cast",
  typeid: "Metal has no typeid",
  thread_local: "Metal has no thread_local; variables of a function are a thread's own",
  asm: "Metal has no assembly",
  __asm__: "Metal has no assembly",
  std: "the standard library of Metal is namespace metal, not std",
  wchar_t: "Metal has no wide characters",
};

/** Words before brackets that hold a condition. */
const CONTROLS: ReadonlySet<string> = new Set(["if", "while", "switch", "for"]);

/** Finds words, literals and expressions that Metal does not have. */
export function findWords(tokens: readonly ExpandedToken[]): Finding[] {
  return tokens.flatMap((token, index) => {
    if (token.kind === "string") {
      return isQuotedWord(tokens, index) ? [] : [{ token, reason: "Metal has no strings" }];
    }
    const reason = complaintAbout(token, tokens[index - 1], tokens[index + 1]) ?? aboutShape(tokens, index);
    return reason === null ? [] : [{ token, reason }];
  });
}

function complaintAbout(
  { kind, text }: ExpandedToken,
  before: ExpandedToken | undefined,
  next: ExpandedToken | undefined,
): string | null {
  if (kind === "identifier") {
    if (text === "delete" && before?.text === "=") return null; // a function that must not be called
    if (text === "long" && next?.text === "long") return "Metal has no long long; long has 64 bits";
    if (text === "std" && next?.text !== "::") return null;
    return Object.hasOwn(WORDS, text) ? (WORDS[text] as string) : null;
  }
  if (kind === "number") return aboutNumber(text);
  return null;
}

/** Whether a string belongs to the compiler: `_Pragma("…")`, `static_assert(…, "…")`. */
function isQuotedWord(tokens: readonly ExpandedToken[], index: number): boolean {
  if (tokens[index - 2]?.text === "_Pragma") return true;
  if (tokens[index - 1]?.text !== "," || tokens[index + 1]?.text !== ")") return false;
  let depth = 0;
  for (let at = index - 1; at > 0; at -= 1) {
    const text = tokens[at]?.text;
    if (text === ")") depth += 1;
    if (text === "(" && depth === 0) return tokens[at - 1]?.text === "static_assert";
    if (text === "(") depth -= 1;
  }
  return false;
}

function aboutNumber(text: string): string | null {
  const isHex = /^0[xX]/.test(text);
  const isFloat = isHex ? /[pP]/.test(text) : /[.eE]/.test(text);
  if (!isFloat) return /(ll|LL)[uU]?$/.test(text) ? `${text} is a long long, which Metal has not; write L` : null;
  if (/[lL]$/.test(text)) return `${text} is a long double, which Metal has not; write f`;
  return /(?:[fFhH]|bf|BF)$/.test(text) ? null : `${text} is a double in C++; write ${text}f`;
}

/** Shapes of a few tokens: lambdas, pointers to functions, variable numbers of arguments. */
function aboutShape(tokens: readonly ExpandedToken[], index: number): string | null {
  const at = (offset: number) => tokens[index + offset];
  const before = at(-1);
  if (at(0)?.text === "[" && at(1)?.text !== "[" && before?.text !== "[") {
    const opensValue =
      before?.kind === "punctuator" ? /^(?:[=(,{};?:!]|&&|\|\|)$/.test(before.text) : before?.text === "return";
    if (opensValue) return "Metal has no lambdas; write a function";
  }
  if (at(0)?.text === "(" && at(1)?.text === "*" && before?.kind === "identifier" && !CONTROLS.has(before.text)) {
    const close = at(2)?.kind === "identifier" ? 3 : 2;
    if (at(close)?.text === ")" && at(close + 1)?.text === "(") return "Metal has no pointers to functions";
  }
  const isCatch = at(-2)?.text === "catch";
  if (at(0)?.text === "..." && at(1)?.text === ")" && (before?.text === "," || before?.text === "(") && !isCatch) {
    return "Metal has no functions with a variable number of arguments";
  }
  return null;
}
