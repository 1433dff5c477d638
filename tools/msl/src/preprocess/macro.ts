import { errorAt, type Token } from "../text/token.js";

/** A macro of `#define`. */
export interface Macro {
  readonly name: string;
  /** Parameter names of a function-like macro; null for an object-like one. `__VA_ARGS__` stands for `...`. */
  readonly parameters: readonly string[] | null;
  readonly variadic: boolean;
  readonly body: readonly Token[];
}

/** Reads the tokens behind `#define`. */
export function parseDefine(directive: Token, line: readonly Token[]): Macro {
  const [name, ...rest] = line;
  if (name?.kind !== "identifier") throw errorAt(name ?? directive, "#define needs a name");
  const open = rest[0];
  if (open?.text !== "(" || open.spaced) return { name: name.text, parameters: null, variadic: false, body: rest };
  const close = rest.findIndex(({ text }) => text === ")");
  if (close === -1) throw errorAt(open, `the parameters of ${name.text} have no closing )`);
  const parameters: string[] = [];
  let variadic = false;
  for (const [index, token] of rest.slice(1, close).entries()) {
    const separator = index % 2 === 1;
    const fits = separator ? token.text === "," && !variadic : token.kind === "identifier" || token.text === "...";
    if (!fits) throw errorAt(token, `the parameters of ${name.text} are names with commas between, ... last`);
    if (separator) continue;
    variadic = token.text === "...";
    parameters.push(variadic ? "__VA_ARGS__" : token.text);
  }
  return { name: name.text, parameters, variadic, body: rest.slice(close + 1) };
}
