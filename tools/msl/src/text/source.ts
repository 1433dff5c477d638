/** A place in a source, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The text of one file, with the means to name a place in it. */
export class Source {
  /** Name in messages and `#line` directives: `src/rms_norm/rms_norm.metal`, `metile/row.h`. */
  readonly name: string;
  /** Absolute path, or null when the text did not come from a file. */
  readonly path: string | null;
  /** The text; line ends are `\n` alone, so that results do not depend on how a repository was checked out. */
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly #lines: number[] = [0];

  constructor(name: string, text: string, path: string | null = null) {
    this.name = name;
    this.path = path;
    this.text = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) {
      this.#lines.push(at + 1);
    }
  }

  /** Line and column of an offset; the end of the text is a place too. */
  position(offset: number): Position {
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lines[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lines[low] as number) + 1 };
  }

  /** Offset of a place; one behind a line's end, or behind the last line, is moved to that end. */
  offset({ line, column }: Position): number {
    const start = this.#lines[line - 1];
    return start === undefined ? this.text.length : start + Math.min(column - 1, this.line(line).length);
  }

  /** The text of a line counted from 1, without its end; empty past the last line. */
  line(number: number): string {
    const start = this.#lines[number - 1];
    if (start === undefined) return "";
    const end = this.text.indexOf("\n", start);
    return this.text.slice(start, end === -1 ? undefined : end);
  }
}
