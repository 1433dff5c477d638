import { opensAttribute, readAttributes } from "../kernel/attribute.js";
import { type Directive, isDirective, splitDirectives } from "../preprocess/directive.js";
import type { Source } from "../text/source.js";
import { type Token, tokenize } from "../text/token.js";
import { applyEdits, replace, type TextEdit } from "./edit.js";
import { translateLiteral } from "./literal.js";
import { translatePragma } from "./pragma.js";
import { isSpace, translateSpace } from "./space.js";

/**
 * The text with Metal's words in CUDA's, in code and in the definitions of macros. Conditions and the uses of macros stay,
 * and so does every line.
 *
 * A kernel becomes an inline function with the same parameters, less their attributes.
 */
export function rewriteText(source: Source): string {
  const edits = splitDirectives(tokenize(source)).flatMap((part) =>
    isDirective(part) ? rewriteDirective(source, part) : rewriteRun(part),
  );
  return applyEdits(source.text, edits);
}

function rewriteDirective(source: Source, { hash, name, line, end }: Directive): TextEdit[] {
  const [first] = line;
  if (name === "define") return rewriteRun(definitionBody(line));
  // the prelude precedes the text
  if (name === "include" && first?.text === "<") return [{ start: hash.start, end, text: "" }];
  if (name !== "pragma") return [];
  const words = source.text.slice(first?.start ?? end, end);
  const pragma = translatePragma(words);
  return [{ start: hash.start, end, text: pragma === null ? "" : `#pragma ${pragma}` }];
}

/** The tokens that a macro stands for, of those behind `#define`. */
function definitionBody(line: readonly Token[]): readonly Token[] {
  const [, open] = line;
  if (open?.text !== "(" || open.spaced) return line.slice(1);
  return line.slice(line.findIndex(({ text }) => text === ")") + 1);
}

function rewriteRun(tokens: readonly Token[]): TextEdit[] {
  const edits: TextEdit[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (opensAttribute(tokens, index)) {
      const { attributes, next } = readAttributes(tokens, index);
      const isKernel = attributes.some(({ name }) => name.text === "kernel");
      edits.push(replace(token, tokens[next - 1] as Token, isKernel ? "METILE_KERNEL" : ""));
      index = next - 1;
    } else if (token.text === "_Pragma" && tokens[index + 2]?.kind === "string") {
      edits.push(rewritePragma(tokens, index));
      index += 3;
    } else {
      const text = rewriteToken(tokens, index);
      if (text !== null) edits.push(replace(token, token, text));
    }
  }
  return edits;
}

/** `_Pragma("…")`. */
function rewritePragma(tokens: readonly Token[], index: number): TextEdit {
  const words = JSON.parse((tokens[index + 2] as Token).text) as string;
  const pragma = translatePragma(words);
  const text = pragma === null ? "" : `_Pragma(${JSON.stringify(pragma)})`;
  return replace(tokens[index] as Token, tokens[index + 3] as Token, text);
}

/** The new text of a token, or null where it stays. */
function rewriteToken(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index] as Token;
  if (isSpace(token)) return translateSpace(tokens, index);
  if (token.kind === "identifier" && token.text === "kernel") return "METILE_KERNEL";
  const pasted = tokens[index - 1]?.text === "##" || tokens[index + 1]?.text === "##";
  return pasted ? null : translateLiteral(token);
}
