import type { Token } from "../text/token.js";

/** New text for what a run of tokens says. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces the text of tokens [first, last]. */
export function replace(first: Token, last: Token, text: string): TextEdit {
  return { start: first.start, end: last.end, text };
}

/** A text with edits, which do not overlap; lines stay where they are, for tokens lie within lines or keep their line ends. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start);
  let result = "";
  let at = 0;
  for (const edit of sorted) {
    const old = text.slice(edit.start, edit.end);
    result += text.slice(at, edit.start) + edit.text + "\n".repeat(old.split("\n").length - 1);
    at = edit.end;
  }
  return result + text.slice(at);
}
