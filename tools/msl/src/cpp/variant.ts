import type { KernelFile } from "../kernel/file.js";
import type { KernelSyntax } from "../kernel/parse.js";
import type { KernelReflection } from "../kernel/reflection.js";
import { combinations, entryName, type MacroValues } from "../kernel/typemacro.js";
import type { ExpandedToken } from "../preprocess/expand.js";
import type { MetilePragma } from "../preprocess/preprocess.js";
import { errorAt } from "../text/token.js";
import { blank, newlines, TokenEditor } from "./edit.js";
import { writeEntry } from "./entry.js";
import { rewriteKernel } from "./function.js";
import { findGuard } from "./guard.js";
import { lineDirective, renderSource } from "./render.js";

/** One compiled form of a kernel. */
export interface Variant {
  readonly kernel: string;
  readonly macros: MacroValues;
  /** Name of its function in the library. */
  readonly entry: string;
}

/** A file's text with one set of values of its type macros, and the kernels that it yields. */
export interface Namespace {
  readonly macros: MacroValues;
  readonly variants: readonly Variant[];
}

/**
 * Spreads the variants of a file's kernels over as few copies of its text as they need.
 *
 * @param chosen - keeps only variants that it accepts @default all
 */
export function planNamespaces(file: KernelFile, chosen: (variant: Variant) => boolean = () => true): Namespace[] {
  const used = [...new Set(file.kernels.flatMap(({ macros }) => macros))];
  const made = new Set<string>();
  const namespaces: Namespace[] = [];
  for (const macros of combinations(file.typeMacros, used)) {
    const variants = file.kernels.flatMap(({ name, macros: own }) => {
      const entry = entryName(name, own, macros);
      if (made.has(entry)) return [];
      made.add(entry);
      return [
        { kernel: name, entry, macros: Object.fromEntries(own.map((macro) => [macro, macros[macro] as string])) },
      ];
    });
    const kept = variants.filter(chosen);
    if (kept.length > 0) namespaces.push({ macros, variants: kept });
  }
  return namespaces;
}

/**
 * The C++ of one namespace: the file's text with its kernels as functions, then their entries.
 *
 * @param number - makes the namespace's name unique in the library
 */
export function writeNamespace(file: KernelFile, { macros, variants }: Namespace, number: number): string {
  const { unit, syntax, source } = file;
  const editor = new TokenEditor(unit.tokens);
  dropRepeatedConst(editor, unit.tokens, syntax);
  const entries = syntax.map((kernel, index) => {
    const variant = variants.find(({ kernel: name }) => name === kernel.name.text);
    if (variant === undefined) {
      editor.replace(kernel.first, kernel.close + 1, newlines);
      return "";
    }
    const guard = findGuard(unit.tokens, kernel);
    const alias = aliasOf(kernel, syntax[index - 1], unit.pragmas);
    rewriteKernel(editor, unit.tokens, kernel, { guard, alias });
    return writeEntry(variant.entry, kernel, file.kernels[index] as KernelReflection, guard);
  });
  const names = Object.keys(macros);
  return [
    ...names.map((name) => `#define ${name} ${macros[name]}\n`),
    `namespace metile_variant_${number} {\nnamespace {\n`,
    lineDirective(source, 1),
    renderSource(source, editor.finish(), unit.includes),
    `\n#line 1 ${JSON.stringify(`entries of ${source.name}`)}\n`,
    "}\n",
    entries.join(""),
    "}\n",
    ...[...names, ...unit.definitions].map((name) => `#undef ${name}\n`),
  ].join("");
}

/**
 * Buffers that `#pragma metile alias(name, …)` before a kernel says may overlap others; an empty set stands for all of
 * them (`#pragma metile alias`), null for none.
 */
function aliasOf(
  kernel: KernelSyntax,
  previous: KernelSyntax | undefined,
  pragmas: readonly MetilePragma[],
): ReadonlySet<string> | null {
  const pragma = pragmas.find(
    ({ name, before }) => name.text === "alias" && before <= kernel.first && before > (previous?.close ?? -1),
  );
  if (pragma === undefined) return null;
  const names = pragma.line.filter(({ kind }) => kind === "identifier");
  for (const name of names) {
    if (!kernel.parameters.some((parameter) => parameter.name.text === name.text)) {
      throw errorAt(name, `kernel ${kernel.name.text} has no buffer ${name.text}`);
    }
  }
  return new Set(names.map(({ text }) => text));
}

/** `const constant T` is fine in Metal; here constant is const, and C++ takes it only once. */
function dropRepeatedConst(
  editor: TokenEditor,
  tokens: readonly ExpandedToken[],
  kernels: readonly KernelSyntax[],
): void {
  tokens.forEach(({ text, site }, index) => {
    if (text !== "const" || site !== undefined) return;
    if (tokens[index - 1]?.text !== "constant" && tokens[index + 1]?.text !== "constant") return;
    if (kernels.some(({ first, open }) => index >= first && index < open)) return;
    editor.replace(index, index + 1, blank);
  });
}
