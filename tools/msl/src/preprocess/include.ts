import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { Source } from "../text/source.js";
import { errorAt, type Token } from "../text/token.js";

/** What an `#include` names. */
export type Included =
  /** A header of the Metal standard library: every target brings its own. */
  | { readonly kind: "system"; readonly request: string }
  /** A header of the shared folder, `metile/row.h`: compiled once for all kernels of a family. */
  | { readonly kind: "shared"; readonly source: Source }
  /** A file beside the kernel: part of its text, so that it may use type macros. */
  | { readonly kind: "private"; readonly source: Source };

/** An include directive whose file is being read. */
export interface IncludeFrame {
  readonly source: Source;
  readonly line: number;
}

const METAL_HEADER = /^(?:metal_\w+|simd\/simd\.h)$/;

/** Reads sources and finds what they include; each file is read once. */
export class SourceLoader {
  readonly #headers: string;
  readonly #sources = new Map<string, Source>();

  /** @param headers - folder of shared headers: the one that contains `metile/` */
  constructor(headers: string) {
    this.#headers = headers;
  }

  /**
   * Reads a file.
   * @param name - name in messages @default the path
   */
  load(path: string, name = path): Source {
    const known = this.#sources.get(path);
    if (known !== undefined) return known;
    const source = new Source(name, readFileSync(path, "utf8"), path);
    this.#sources.set(path, source);
    return source;
  }

  /** The source that was read under a name. */
  named(name: string): Source | undefined {
    return [...this.#sources.values()].find((source) => source.name === name);
  }

  /** Takes a text that is not a file. */
  add(source: Source): Source {
    this.#sources.set(source.name, source);
    return source;
  }

  /**
   * Finds the file of an include directive: `"…"` beside the including file, then in the shared folder; `<…>` among the
   * headers of Metal.
   *
   * @param line - the tokens behind `#include`
   * @throws MslError when there is no such file, with the chain of includes that led there
   */
  resolve(directive: Token, line: readonly Token[], chain: readonly IncludeFrame[]): Included {
    const { source } = directive;
    const [first] = line;
    const notes = chain.map((frame) => `included from ${frame.source.name}:${frame.line}`).reverse();
    if (first?.text === "<") {
      const request = source.text.slice(first.end, line.find(({ text }) => text === ">")?.start).trim();
      if (METAL_HEADER.test(request)) return { kind: "system", request };
      throw errorAt(first, `<${request}> is no header of Metal; shared headers are included as "metile/…"`, notes);
    }
    if (first?.kind !== "string") throw errorAt(first ?? directive, '#include needs "file" or <file>', notes);
    const request = first.text.slice(1, -1);
    const beside = source.path === null ? null : join(dirname(source.path), request);
    if (beside !== null && existsSync(beside) && !this.#isShared(beside)) {
      const name = posix.join(posix.dirname(source.name), request);
      return { kind: "private", source: this.load(beside, name) };
    }
    const shared = beside !== null && existsSync(beside) ? beside : join(this.#headers, request);
    if (!existsSync(shared)) throw errorAt(first, `"${request}" was not found`, notes);
    return { kind: "shared", source: this.load(shared, relative(this.#headers, shared).split(sep).join("/")) };
  }

  #isShared(path: string): boolean {
    const inside = relative(this.#headers, path);
    return inside !== "" && !inside.startsWith("..");
  }
}
