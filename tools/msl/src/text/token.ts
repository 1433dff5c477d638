import { MslError } from "./error.js";
import type { Source } from "./source.js";

/** A `stray` token is a quotation mark without its partner: an error in code, but not in `#error` or skipped text. */
type TokenKind = "identifier" | "number" | "string" | "character" | "punctuator" | "stray";

/** A preprocessing token of C++ and where it stands. Comments and white space lie between tokens. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly source: Source;
  /** Offsets in the source's text: [start, end). */
  readonly start: number;
  readonly end: number;
  /** Whether white space or a comment stands before it; tells `F(x)` from `F (x)` in a definition. */
  readonly spaced: boolean;
  /** Whether it is the first on its logical line: a `#` there begins a directive. */
  readonly leading: boolean;
}

/** The text of a macro's use: [start, end) of a source. */
export interface Site {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

const IDENTIFIER = /[A-Za-z_$][\w$]*/y;
/** Of preprocessing numbers: `1e+5f`, `0x1p-3`, `1'000`, `3u`. */
const NUMBER = /\.?\d(?:[eEpP][+-]|'?[\w.])*/y;
const RAW_STRING = /(?:u8|[uUL])?R"([^\s()\\]{0,16})\(/y;
const QUOTED = /"(?:[^"\\\n]|\\[\s\S])*"/y;
const CHARACTER = /'(?:[^'\\\n]|\\[\s\S])+'/y;
/** Longest first. */
const PUNCTUATOR =
  /(?:<<=|>>=|\.\.\.|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[+\-*/%&|^]=|##|[{}()[\]<>;:,.?~!+\-*/%^&|=#\\@`])/y;
const BLANK = /(?:[ \t\v\f]|\\\n)+/y;
/** A comment to the end of the line, which a backslash carries on. */
const LINE_COMMENT = /\/\/(?:\\\n|[^\n])*/y;

/**
 * Splits a source into tokens.
 *
 * @throws MslError for a comment or raw string without end and for characters that C++ does not know
 *
 * @example
 * ```ts
 * tokenize(new Source("a.metal", "x += 1.5f; // sum")).map(({ text }) => text); // ["x", "+=", "1.5f", ";"]
 * ```
 */
export function tokenize(source: Source): Token[] {
  const { text } = source;
  const tokens: Token[] = [];
  let at = 0;
  let spaced = false;
  let leading = true;

  const take = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : -1;
  };
  const push = (kind: TokenKind, end: number) => {
    tokens.push({ kind, text: text.slice(at, end), source, start: at, end, spaced, leading });
    at = end;
    spaced = false;
    leading = false;
  };

  while (at < text.length) {
    if (text[at] === "\n") {
      leading = true;
      spaced = true;
      at += 1;
      continue;
    }
    const skipped = endOfSpace(source, at, take);
    if (skipped > at) {
      spaced = true;
      at = skipped;
      continue;
    }
    const raw = endOfRawString(source, at, take);
    if (raw > at) {
      push("string", raw);
      continue;
    }
    const [kind, end] = match(take);
    if (end === -1) {
      const character = String.fromCodePoint(text.codePointAt(at) as number);
      throw new MslError({ source, offset: at, reason: `unexpected character ${JSON.stringify(character)}` });
    }
    push(kind, end);
  }
  return tokens;

  function match(end: (pattern: RegExp) => number): [TokenKind, number] {
    for (const [kind, pattern] of KINDS) {
      const found = end(pattern);
      if (found !== -1) return [kind, found];
    }
    return text[at] === '"' || text[at] === "'" ? ["stray", at + 1] : ["punctuator", -1];
  }
}

const KINDS: readonly (readonly [TokenKind, RegExp])[] = [
  ["identifier", IDENTIFIER],
  ["number", NUMBER],
  ["string", QUOTED],
  ["character", CHARACTER],
  ["punctuator", PUNCTUATOR],
];

/** End of the blanks or the comment at an offset, or the offset itself. */
function endOfSpace(source: Source, at: number, take: (pattern: RegExp) => number): number {
  const { text } = source;
  if (text[at] === "/" && text[at + 1] === "*") {
    const end = text.indexOf("*/", at + 2);
    if (end === -1) throw new MslError({ source, offset: at, reason: "this comment has no end; expected */" });
    return end + 2;
  }
  return Math.max(at, take(BLANK), take(LINE_COMMENT));
}

function endOfRawString(source: Source, at: number, take: (pattern: RegExp) => number): number {
  const open = take(RAW_STRING);
  if (open === -1) return at;
  const { text } = source;
  const delimiter = text.slice(text.indexOf('"', at) + 1, open - 1);
  const end = text.indexOf(`)${delimiter}"`, open);
  if (end === -1) {
    throw new MslError({ source, offset: at, reason: `this raw string has no end; expected )${delimiter}"` });
  }
  return end + delimiter.length + 2;
}

/** A place that {@link errorAt} can name: a token, perhaps one that a macro made. */
export interface Place {
  readonly source: Source;
  readonly start: number;
  readonly site?: Site | undefined;
}

/** An error at a token; where a macro made it, a note tells where that is used. */
export function errorAt({ source, start, site }: Place, reason: string, notes: readonly string[] = []): MslError {
  const use = site?.source.position(site.start);
  const trail = use === undefined ? [] : [`in the use of a macro at ${site?.source.name}:${use.line}:${use.column}`];
  return new MslError({ source, offset: start, reason, notes: [...notes, ...trail] });
}
