import { Source } from "../text/source.js";
import { errorAt, type Token, tokenize } from "../text/token.js";
import { ConditionStack } from "./conditional.js";
import { type Directive, isDirective, splitDirectives } from "./directive.js";
import { type ExpandedToken, expand } from "./expand.js";
import type { Included, IncludeFrame, SourceLoader } from "./include.js";
import { type Macro, parseDefine } from "./macro.js";

/** An `#include` that was reached. */
export interface ReachedInclude {
  readonly directive: Directive;
  readonly included: Included;
  /** Whether `#pragma once` left it out. */
  readonly repeated: boolean;
}

/** A `#pragma metile` that was reached. */
export interface MetilePragma {
  /** The word behind `metile`. */
  readonly name: Token;
  /** The tokens behind it. */
  readonly line: readonly Token[];
  /** Index of the token that follows it in {@link Unit.tokens}. */
  readonly before: number;
}

/** A `.metal` file as a compiler of one target sees it. */
export interface Unit {
  readonly main: Source;
  /** Tokens of the file and of private includes after macros were replaced; shared headers' only where asked for. */
  readonly tokens: readonly ExpandedToken[];
  /** Shared headers that the file includes itself, in order. */
  readonly headers: readonly Source[];
  /** Includes of the file and of private includes. */
  readonly includes: readonly ReachedInclude[];
  /** Names that the file and private includes define. */
  readonly definitions: ReadonlySet<string>;
  readonly pragmas: readonly MetilePragma[];
}

/** What {@link preprocess} is told. */
export interface PreprocessOptions {
  readonly loader: SourceLoader;
  /** Macros that the compiler is given, with their replacement. */
  readonly defines: Readonly<Record<string, string>>;
  /**
   * Names that count as defined and are never replaced: type macros, whose value is not known yet. Those that the file
   * declares by `#pragma metile type` join them.
   */
  readonly opaque: ReadonlySet<string>;
  /** Whether the tokens of shared headers belong to the unit's. @default false */
  readonly whole?: boolean;
}

/**
 * Runs the preprocessor over a file: conditions, macros, includes.
 *
 * @throws MslError for a directive that is wrong or unknown, an include without file, an `#error` that is reached
 */
export function preprocess(main: Source, options: PreprocessOptions): Unit {
  return new Preprocessor(main, options).run();
}

class Preprocessor {
  readonly #main: Source;
  readonly #options: PreprocessOptions;
  readonly #macros = new Map<string, Macro>();
  readonly #opaque: Set<string>;
  readonly #once = new Set<Source>();
  readonly #chain: IncludeFrame[] = [];
  readonly #tokens: ExpandedToken[] = [];
  readonly #headers = new Set<Source>();
  readonly #includes: ReachedInclude[] = [];
  readonly #definitions = new Set<string>();
  readonly #pragmas: MetilePragma[] = [];
  /** Whether a shared header is being read. */
  #shared = false;

  constructor(main: Source, options: PreprocessOptions) {
    this.#main = main;
    this.#options = options;
    this.#opaque = new Set(options.opaque);
    for (const [name, text] of Object.entries(options.defines)) this.#predefine(name, text);
  }

  run(): Unit {
    this.#read(this.#main);
    return {
      main: this.#main,
      tokens: this.#tokens,
      headers: [...this.#headers],
      includes: this.#includes,
      definitions: this.#definitions,
      pragmas: this.#pragmas,
    };
  }

  #predefine(name: string, text: string): void {
    const body = tokenize(new Source(`<${name}>`, text));
    this.#macros.set(name, { name, parameters: null, variadic: false, body });
  }

  #read(source: Source): void {
    const conditions = new ConditionStack(this.#macros, (name) => this.#isDefined(name));
    for (const part of splitDirectives(tokenize(source))) {
      if (isDirective(part)) {
        if (!conditions.obey(part) && conditions.active) this.#obey(part);
      } else if (conditions.active && (!this.#shared || this.#options.whole)) this.#emit(part);
    }
    conditions.end();
  }

  #emit(run: readonly Token[]): void {
    const stray = run.find(({ kind }) => kind === "stray");
    if (stray !== undefined) throw errorAt(stray, `this ${stray.text} has no closing partner on its line`);
    for (const token of expand(run, this.#macros)) this.#tokens.push(token);
  }

  #isDefined(name: string): boolean {
    return this.#macros.has(name) || this.#opaque.has(name);
  }

  #obey(directive: Directive): void {
    const { hash, name, line } = directive;
    switch (name) {
      case "define":
        this.#define(directive);
        return;
      case "undef":
        if (line[0]?.kind !== "identifier") throw errorAt(line[0] ?? hash, "#undef needs a name");
        this.#macros.delete(line[0].text);
        return;
      case "include":
        this.#include(directive);
        return;
      case "pragma":
        this.#pragma(directive);
        return;
      case "error":
        throw errorAt(hash, `#error ${this.#spelling(directive)}`, this.#notes());
      case "warning":
      case "line":
      case "":
        return;
      default:
        throw errorAt(hash, `unknown directive #${name}`);
    }
  }

  #spelling({ hash, line, end }: Directive): string {
    return hash.source.text.slice(line[0]?.start ?? end, end);
  }

  #notes(): string[] {
    return this.#chain.map(({ source, line }) => `included from ${source.name}:${line}`).reverse();
  }

  #define({ hash, line }: Directive): void {
    const macro = parseDefine(hash, line);
    if (this.#opaque.has(macro.name)) {
      throw errorAt(line[0] as Token, `${macro.name} is a type macro: every variant defines it`);
    }
    this.#macros.set(macro.name, macro);
    if (!this.#shared) this.#definitions.add(macro.name);
  }

  #include(directive: Directive): void {
    const included = this.#options.loader.resolve(directive.hash, directive.line, this.#chain);
    const repeated = included.kind !== "system" && this.#once.has(included.source);
    if (!this.#shared) this.#includes.push({ directive, included, repeated });
    if (included.kind === "system" || repeated) return;
    const { source } = directive.hash;
    if (included.source === source || this.#chain.some((frame) => frame.source === included.source)) {
      throw errorAt(directive.hash, `${included.source.name} includes itself`, this.#notes());
    }
    const outer = this.#shared;
    if (included.kind === "shared") {
      if (!outer) this.#headers.add(included.source);
      this.#shared = true;
    } else if (outer) {
      throw errorAt(directive.hash, `a shared header includes ${included.source.name}, which is none`, this.#notes());
    }
    this.#chain.push({ source, line: source.position(directive.hash.start).line });
    this.#read(included.source);
    this.#chain.pop();
    this.#shared = outer;
  }

  #pragma({ hash, line }: Directive): void {
    const [first, name, ...rest] = line;
    if (first?.text === "once") this.#once.add(hash.source);
    if (first?.text !== "metile") return;
    if (this.#shared) throw errorAt(hash, "#pragma metile belongs into the file of a kernel, not a shared header");
    if (name === undefined) throw errorAt(first, "#pragma metile needs a word: type or alias");
    if (name.text === "type" && rest[0]?.kind === "identifier") this.#opaque.add(rest[0].text);
    this.#pragmas.push({ name, line: rest, before: this.#tokens.length });
  }
}
