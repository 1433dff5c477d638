import { availableParallelism } from "node:os";
import { type Compiler, findCompiler } from "@metile/compiler";
import type { KernelFile } from "../kernel/file.js";
import { readPackage } from "../package/package.js";
import type { SourceLoader } from "../preprocess/include.js";
import type { MslError } from "../text/error.js";
import { checkTypes } from "./clang.js";
import { type Sighting, tellOnce } from "./finding.js";
import { checkRules } from "./rules/rules.js";
import { readViews } from "./view.js";

/** Options of {@link lintPackage}. */
export interface LintOptions {
  /** Folder of the package. */
  readonly folder: string;
  /** Folder of @metile/runtime. @default the one that the package resolves */
  readonly runtime?: string;
  /** @default findCompiler() */
  readonly compiler?: Compiler;
}

/** What a lint looked at and found. */
export interface LintReport {
  readonly files: number;
  /** Forms of the files that were checked: variants of types times settings of the launcher, those that differ. */
  readonly views: number;
  /** In order of files and places. */
  readonly errors: readonly MslError[];
}

/** Views that clang takes in one run: more fill its memory, fewer repeat its start. */
const BATCH = 24;

/**
 * Checks a package's `src/**\/*.metal` for what Apple's compiler rejects, on any machine.
 *
 * @throws MslError for a file that cannot be read at all
 * @throws NoCompilerError when there is no compiler
 *
 * @example
 * ```ts
 * const { errors } = await lintPackage({ folder: "packages/norms" });
 * for (const error of errors) console.log(error.message);
 * ```
 */
export async function lintPackage({ folder, runtime, compiler }: LintOptions): Promise<LintReport> {
  const { files, loader } = readPackage(folder, runtime);
  const reports: LintReport[] = [];
  for (const file of files) reports.push(await lintFile(file, loader, compiler));
  return {
    files: files.length,
    views: reports.reduce((sum, { views }) => sum + views, 0),
    errors: distinct(reports.flatMap(({ errors }) => errors)),
  };
}

/** As {@link lintPackage}, for one file that was read. */
export async function lintFile(
  file: KernelFile,
  loader: SourceLoader,
  compiler: Compiler = findCompiler(),
): Promise<LintReport> {
  const views = readViews(file, loader);
  const batches = Array.from({ length: Math.ceil(views.length / BATCH) }, (_, index) =>
    views.slice(index * BATCH, (index + 1) * BATCH),
  );
  const typed: Sighting[][] = [];
  const waiting = batches.entries();
  const work = async () => {
    for (const [index, batch] of waiting) typed[index] = await checkTypes(batch, compiler);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  const ruled = tellOnce(views.flatMap(checkRules), views);
  // what clang says of a line that breaks a rule follows from that
  const places = new Set(ruled.map(({ file, line }) => `${file}:${line}`));
  const others = tellOnce(typed.flat(), views).filter(({ file, line }) => !places.has(`${file}:${line}`));
  const errors = [...ruled, ...others];
  return { files: 1, views: views.length, errors: errors.sort(byPlace) };
}

/** Files repeat what is wrong in a header of both; the first to say it says it. */
function distinct(errors: readonly MslError[]): MslError[] {
  const first = new Map<string, MslError>();
  for (const error of errors) {
    const key = JSON.stringify([error.file, error.line, error.column, error.reason]);
    if (!first.has(key)) first.set(key, error);
  }
  return [...first.values()];
}

function byPlace(a: MslError, b: MslError): number {
  return (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column;
}
