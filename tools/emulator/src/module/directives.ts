import type { Location } from "../report.js";

const LINE = /^[ \t]*#[ \t]*line[ \t]+(\d+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?/;

/** Name of a text in which no `#line` directive says another: that of Metal's compiler. */
export const UNNAMED = "program_source";

/** Names and numbers that `#line` directives give to the lines of a text. */
export class LineDirectives {
  /** Of each line of the text, what it is called. */
  readonly #lines: Location[] = [];
  /** All names of files. */
  readonly names: ReadonlySet<string>;

  constructor(text: string) {
    let file = UNNAMED;
    let line = 1;
    for (const content of text.split("\n")) {
      this.#lines.push({ file, line });
      line += 1;
      const [whole, number, name] = LINE.exec(content) ?? [];
      if (whole === undefined) continue;
      line = Number(number);
      file = name === undefined ? file : JSON.parse(`"${name}"`);
    }
    this.names = new Set(this.#lines.map((location) => location.file));
  }

  /** What a line, counted from 1 in the text, is called. */
  locate(line: number): Location {
    return this.#lines[line - 1] ?? { file: UNNAMED, line };
  }
}
