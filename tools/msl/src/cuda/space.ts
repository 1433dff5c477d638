import { errorAt, type Token } from "../text/token.js";

const SPACES: ReadonlySet<string> = new Set(["device", "constant", "threadgroup", "thread"]);

/** Whether a token is the name of an address space. */
export function isSpace({ kind, text }: Token): boolean {
  return kind === "identifier" && SPACES.has(text);
}

/**
 * What the name of an address space becomes: pointers of CUDA find their space by themselves, so that it goes; constant
 * is const; a variable says where it lies.
 *
 * @param tokens - a run of tokens without directives, or the body of a macro
 * @throws MslError where the word stands alone in a macro, so that nothing tells whether a variable follows
 */
export function translateSpace(tokens: readonly Token[], index: number): string {
  const token = tokens[index] as Token;
  if (token.text === "device" || token.text === "thread") return "";
  if (token.text === "threadgroup") {
    if (declares(tokens, index, THREADGROUP_ENDS)) return "METILE_SHARED";
    if (tokens.length === 1) {
      throw errorAt(
        token,
        "a macro that is threadgroup alone hides variables from CUDA; write threadgroup where one is declared",
      );
    }
    return "";
  }
  const repeated = isConst(tokens, index);
  if (declares(tokens, index, CONSTANT_ENDS)) return repeated ? "__constant__" : "__constant__ const";
  return repeated ? "" : "const";
}

/** What follows the name of a variable; one in constant memory has an initialiser, and so an array's size at most before. */
const THREADGROUP_ENDS: ReadonlySet<string> = new Set([";", "[", ",", "=", "{"]);
const CONSTANT_ENDS: ReadonlySet<string> = new Set(["[", "=", "{"]);

/** Whether a variable is declared: a type and a name follow, with no pointer or reference between. */
function declares(tokens: readonly Token[], index: number, ends: ReadonlySet<string>): boolean {
  let angle = 0;
  let names = 0;
  for (let at = index + 1; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] as Token;
    if (text === "<") angle += 1;
    else if (text === ">") angle -= 1;
    else if (text === ">>") angle -= 2;
    else if (angle === 0) {
      if (kind === "identifier") names += text === "const" || text === "volatile" ? 0 : 1;
      else if (text !== "::") return names >= 2 && ends.has(text) && startsDeclaration(tokens, index);
    }
    if (angle < 0) return false;
  }
  return false;
}

/** Whether nothing but specifiers lies between a token and the start of a statement or of the tokens. */
function startsDeclaration(tokens: readonly Token[], index: number): boolean {
  let before = index - 1;
  while (SPECIFIERS.has(tokens[before]?.text ?? "")) before -= 1;
  return before < 0 || [";", "{", "}", ")", ":", "else"].includes((tokens[before] as Token).text);
}

const SPECIFIERS: ReadonlySet<string> = new Set(["static", "const", "constexpr", "volatile", "inline"]);

/** Whether the declaration around a token says const or constexpr too, for what it points to. */
function isConst(tokens: readonly Token[], index: number): boolean {
  for (let at = index - 1; SPECIFIERS.has(tokens[at]?.text ?? ""); at -= 1) {
    if (tokens[at]?.text === "const" || tokens[at]?.text === "constexpr") return true;
  }
  for (let at = index + 1; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] as Token;
    if (text === "const" || text === "constexpr") return true;
    if (kind !== "identifier" && !["::", "<", ">"].includes(text)) return false;
  }
  return false;
}
