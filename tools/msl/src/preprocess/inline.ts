import type { Source } from "../text/source.js";
import { tokenize } from "../text/token.js";
import { isDirective, splitDirectives } from "./directive.js";
import type { IncludeFrame, SourceLoader } from "./include.js";

/**
 * A source's text with quoted includes in place, so that it needs no other file; includes of Metal's own headers stay.
 * `#line` directives keep the names and numbers of lines.
 *
 * Conditions are left to the compiler. A header with `#pragma once` is put in once where the first include of it is
 * unconditional, and else at each include, between guards.
 *
 * @throws MslError when a file was not found
 */
export function inlineIncludes(source: Source, loader: SourceLoader): string {
  return `#line 1 ${JSON.stringify(source.name)}\n${new Inliner(loader).inline(source, 0)}`;
}

class Inliner {
  readonly #loader: SourceLoader;
  readonly #done = new Set<Source>();
  readonly #chain: IncludeFrame[] = [];

  constructor(loader: SourceLoader) {
    this.#loader = loader;
  }

  /** @param depth - conditions that lie around the text */
  inline(source: Source, depth: number): string {
    let text = "";
    let at = 0;
    let inner = depth;
    const replaceUpTo = (start: number, end: number, replacement: string) => {
      text += source.text.slice(at, start) + replacement;
      at = end;
    };
    for (const part of splitDirectives(tokenize(source))) {
      if (!isDirective(part)) continue;
      const { hash, name, line, end } = part;
      if (name.startsWith("if")) inner += 1;
      else if (name === "endif") inner -= 1;
      else if (name === "pragma" && line[0]?.text === "once") replaceUpTo(hash.start, end, "");
      else if (name === "include" && line[0]?.kind === "string") {
        const included = this.#loader.resolve(hash, line, this.#chain);
        if (included.kind === "system") continue;
        const number = source.position(end).line;
        this.#chain.push({ source, line: number });
        const body = this.#include(included.source, inner);
        this.#chain.pop();
        replaceUpTo(hash.start, end, body === "" ? "" : `${body}#line ${number + 1} ${JSON.stringify(source.name)}`);
      }
    }
    return text + source.text.slice(at);
  }

  #include(source: Source, depth: number): string {
    const isOnce = splitDirectives(tokenize(source)).some(
      (part) => isDirective(part) && part.name === "pragma" && part.line[0]?.text === "once",
    );
    if (this.#done.has(source) || this.#chain.some((frame) => frame.source === source)) return "";
    if (isOnce && depth === 0) this.#done.add(source);
    const name = JSON.stringify(source.name);
    const text = this.inline(source, depth);
    const body = `#line 1 ${name}\n${text.endsWith("\n") ? text : `${text}\n`}`;
    if (!isOnce || depth === 0) return body;
    const guard = `METILE_INCLUDED_${source.name.replace(/\W/g, "_")}`;
    return `#ifndef ${guard}\n#define ${guard}\n${body}#endif\n`;
  }
}
