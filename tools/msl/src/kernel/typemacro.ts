import type { MetilePragma } from "../preprocess/preprocess.js";
import { errorAt } from "../text/token.js";

/** A macro that stands for a type of tensors and makes variants of kernels. */
export interface TypeMacro {
  readonly name: string;
  /** Its values; those that name another macro take that macro's value. */
  readonly values: readonly string[];
}

/**
 * Type macros that every file knows, in the order in which their values make up an entry's name, with the values that CPU
 * libraries are compiled for. A CPU takes parameters in float alone: a weight is one row, and converting it once costs less
 * than half of all variants does. GPUs compile what they meet.
 */
export const KNOWN_TYPE_MACROS: readonly TypeMacro[] = [
  { name: "STORAGE", values: ["float", "half", "bfloat"] },
  { name: "PARAMETER", values: ["float"] },
  { name: "COTANGENT", values: ["STORAGE", "float"] },
  { name: "GRADIENT", values: ["float", "STORAGE"] },
];

/** Types that a tensor's dtype gives a macro. */
const VALUES: ReadonlySet<string> = new Set(["float", "half", "bfloat", "int", "uint", "bool"]);

/** The type macros of a file: the known ones, then those declared by `#pragma metile type NAME(value, …)`. */
export function typeMacrosOf(pragmas: readonly MetilePragma[]): TypeMacro[] {
  const macros = [...KNOWN_TYPE_MACROS];
  for (const { name, line } of pragmas) {
    if (name.text === "alias") continue;
    if (name.text !== "type") throw errorAt(name, `unknown #pragma metile ${name.text}; expected type or alias`);
    const [macro, open, ...rest] = line;
    const values = rest.slice(0, -1).filter((_, index) => index % 2 === 0);
    const commas = rest.slice(0, -1).filter((_, index) => index % 2 === 1);
    if (
      macro?.kind !== "identifier" ||
      open?.text !== "(" ||
      rest.at(-1)?.text !== ")" ||
      values.length !== commas.length + 1 ||
      commas.some(({ text }) => text !== ",")
    ) {
      throw errorAt(macro ?? name, "expected #pragma metile type NAME(type, type, …)");
    }
    if (macros.some((known) => known.name === macro.text)) {
      throw errorAt(macro, `${macro.text} is a type macro already`);
    }
    for (const value of values) {
      if (!VALUES.has(value.text)) {
        throw errorAt(value, `${value.text} is no type of tensors; known are ${[...VALUES].join(", ")}`);
      }
    }
    macros.push({ name: macro.text, values: [...new Set(values.map(({ text }) => text))] });
  }
  return macros;
}

/** Values of type macros by name: what one variant is compiled with. */
export type MacroValues = Readonly<Record<string, string>>;

/**
 * Every combination of values of macros, without repetitions, in a fixed order.
 *
 * @param macros - all type macros of the file
 * @param used - names of those to vary
 *
 * @example
 * ```ts
 * combinations(KNOWN_TYPE_MACROS, ["STORAGE", "COTANGENT"]).length; // 5: float twice is one
 * ```
 */
export function combinations(macros: readonly TypeMacro[], used: readonly string[]): MacroValues[] {
  let results: Record<string, string>[] = [{}];
  for (const { name, values } of macros) {
    // one that is not used still lends its values to those that name it
    const needed =
      used.includes(name) || macros.some((other) => used.includes(other.name) && other.values.includes(name));
    if (!needed) continue;
    results = results.flatMap((result) => values.map((value) => ({ ...result, [name]: result[value] ?? value })));
  }
  const unique = new Map<string, MacroValues>();
  for (const result of results) {
    const own = Object.fromEntries(macros.flatMap(({ name }) => (used.includes(name) ? [[name, result[name]]] : [])));
    const key = JSON.stringify(own);
    if (!unique.has(key)) unique.set(key, own as MacroValues);
  }
  return [...unique.values()];
}

/** Name of a kernel's entry in a CPU library: `rms_norm_forward__bfloat_float`. */
export function entryName(kernel: string, macros: readonly string[], values: MacroValues): string {
  return macros.length === 0 ? kernel : `${kernel}__${macros.map((macro) => values[macro]).join("_")}`;
}
