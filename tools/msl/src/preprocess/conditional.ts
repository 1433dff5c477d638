import { errorAt, type Token } from "../text/token.js";
import { evaluate } from "./condition.js";
import type { Directive } from "./directive.js";
import { expand } from "./expand.js";
import type { Macro } from "./macro.js";

/** One `#if … #endif` in progress. */
interface Conditional {
  readonly hash: Token;
  /** Whether the present branch is read. */
  active: boolean;
  /** Whether a branch was read, so that later ones are not. */
  taken: boolean;
  hasElse: boolean;
}

/** The conditions that lie around the present place of one source. */
export class ConditionStack {
  readonly #macros: ReadonlyMap<string, Macro>;
  readonly #isDefined: (name: string) => boolean;
  readonly #stack: Conditional[] = [];

  /** @param isDefined - what `defined` and `#ifdef` say about a name */
  constructor(macros: ReadonlyMap<string, Macro>, isDefined: (name: string) => boolean) {
    this.#macros = macros;
    this.#isDefined = isDefined;
  }

  /** Whether text is read here. */
  get active(): boolean {
    return this.#stack.every((conditional) => conditional.active);
  }

  /** Obeys `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else` and `#endif`; false for any other directive. */
  obey(directive: Directive): boolean {
    const { hash, name, line } = directive;
    switch (name) {
      case "if":
      case "ifdef":
      case "ifndef": {
        const chosen = this.active && (name === "if" ? this.#condition(directive) : this.#named(directive));
        this.#stack.push({ hash, active: chosen, taken: chosen, hasElse: false });
        return true;
      }
      case "elif":
      case "else": {
        const innermost = this.#stack.at(-1);
        if (innermost === undefined) throw errorAt(hash, `#${name} without #if`);
        if (innermost.hasElse) throw errorAt(hash, `#${name} behind #else`);
        const reached = this.#stack.slice(0, -1).every((outer) => outer.active) && !innermost.taken;
        innermost.active = reached && (name === "else" || this.#condition(directive));
        innermost.taken ||= innermost.active;
        innermost.hasElse = name === "else";
        return true;
      }
      case "endif":
        if (this.#stack.pop() === undefined) throw errorAt(hash, "#endif without #if");
        if (line[0] !== undefined) throw errorAt(line[0], "nothing may follow #endif");
        return true;
      default:
        return false;
    }
  }

  /** @throws MslError when a condition is still open at the end of the source */
  end(): void {
    const open = this.#stack.at(-1);
    if (open !== undefined) throw errorAt(open.hash, "this condition has no #endif");
  }

  #named({ hash, name: directive, line }: Directive): boolean {
    const [name] = line;
    if (name?.kind !== "identifier") throw errorAt(name ?? hash, `#${directive} needs a name`);
    return this.#isDefined(name.text) === (directive === "ifdef");
  }

  #condition({ hash, line }: Directive): boolean {
    const resolved: Token[] = [];
    for (let index = 0; index < line.length; index += 1) {
      const token = line[index] as Token;
      if (token.text !== "defined") {
        resolved.push(token);
        continue;
      }
      const bracketed = line[index + 1]?.text === "(";
      const name = line[index + (bracketed ? 2 : 1)];
      if (name?.kind !== "identifier" || (bracketed && line[index + 3]?.text !== ")")) {
        throw errorAt(token, "defined needs a name, alone or in brackets");
      }
      resolved.push({ ...token, kind: "number", text: this.#isDefined(name.text) ? "1" : "0" });
      index += bracketed ? 3 : 1;
    }
    return evaluate(expand(resolved, this.#macros), hash, 0n) !== 0n;
  }
}
