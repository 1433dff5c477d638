import type { ExpandedToken } from "../preprocess/expand.js";
import type { Source } from "../text/source.js";
import { errorAt, type Site } from "../text/token.js";

/** New text for [start, end) of a source. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** New text for tokens [from, to) of a macro's use. */
interface SiteEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Replaces tokens of a file by text and leaves everything between as it is written, comments and directives included.
 *
 * Tokens that a macro made have no text of their own. Replacing all that one use made replaces the use; replacing some
 * puts the expanded tokens in its place.
 */
export class TokenEditor {
  readonly #tokens: readonly ExpandedToken[];
  readonly #edits = new Map<Source, Edit[]>();
  readonly #siteEdits = new Map<Site, SiteEdit[]>();

  constructor(tokens: readonly ExpandedToken[]) {
    this.#tokens = tokens;
  }

  /**
   * Replaces tokens [from, to).
   *
   * @param text - makes the new text from the old one, which is empty for tokens of a macro
   * @throws MslError when a macro's use lies across one end of the range, or the ends lie in different files
   */
  replace(from: number, to: number, text: (old: string) => string): void {
    const first = this.#at(from);
    const last = this.#at(to - 1);
    const cutsFirst = first.site !== undefined && first.site === this.#tokens[from - 1]?.site;
    const cutsLast = last.site !== undefined && last.site === this.#tokens[to]?.site;
    if (cutsFirst || cutsLast) {
      if (first.site !== last.site) throw errorAt(first, "a macro makes part of this kernel; let it make all or none");
      add(this.#siteEdits, first.site as Site, { from, to, text: text("") });
      return;
    }
    const { source, start } = placeOf(first);
    const end = this.#endBefore(to);
    if (placeOf(last).source !== source) throw errorAt(first, "a kernel begins and ends in one file");
    add(this.#edits, source, { start, end, text: text(source.text.slice(start, end)) });
  }

  /** The edits of each source, in order. */
  finish(): Map<Source, Edit[]> {
    for (const [site, edits] of this.#siteEdits) {
      const old = site.source.text.slice(site.start, site.end);
      add(this.#edits, site.source, {
        start: site.start,
        end: site.end,
        text: this.#expand(site, edits) + newlines(old),
      });
    }
    for (const edits of this.#edits.values()) edits.sort((a, b) => a.start - b.start);
    return this.#edits;
  }

  /** The tokens of a macro's use as text, with edits. */
  #expand(site: Site, edits: readonly SiteEdit[]): string {
    const texts: string[] = [];
    for (let index = this.#tokens.findIndex((token) => token.site === site); this.#tokens[index]?.site === site; ) {
      const edit = edits.find(({ from }) => from === index);
      texts.push(edit?.text ?? this.#at(index).text);
      index = edit?.to ?? index + 1;
    }
    return texts.join(" ");
  }

  #at(index: number): ExpandedToken {
    return this.#tokens[index] as ExpandedToken;
  }

  /** Where the text before a token ends: at the token itself, if it follows in the same file. */
  #endBefore(to: number): number {
    const last = placeOf(this.#at(to - 1));
    const next = this.#tokens[to];
    const place = next === undefined ? undefined : placeOf(next);
    const adjacent = place?.source === last.source && !last.source.text.slice(last.end, place.start).includes("#");
    return adjacent && place !== undefined ? place.start : last.end;
  }
}

/** The text that a token occupies: its own, or the macro's use. */
function placeOf(token: ExpandedToken): Site {
  return token.site ?? token;
}

/** The line ends of a text: what keeps the lines behind it in place. */
export function newlines(text: string): string {
  return text.replace(/[^\n]/g, "");
}

/** Blanks that take the place of a text, line by line. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function add<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
