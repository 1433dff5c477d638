import { CompileError } from "@metile/compiler";
import type { SourceLoader } from "../preprocess/include.js";
import { excerpt, MslError } from "../text/error.js";
import type { Source } from "../text/source.js";

/** One message of a C++ compiler about a source. */
interface Diagnostic {
  readonly source: Source;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly message: string;
}

/** What both gcc and clang write: `file:line:column: error: message`. */
const DIAGNOSTIC = /^(.+?):(\d+):(\d+): (fatal error|error|note): (.*)$/;

/** More would repeat the first: they come from the same line, or from its consequences. */
const SHOWN = 8;

/**
 * A compiler's failure as an error in the Metal source: `#line` directives made the compiler speak of the files that
 * people wrote. Repetitions by variants are dropped.
 *
 * @returns the error to throw: the failure itself when it names no source that the loader read
 */
export function explainFailure(failure: unknown, loader: SourceLoader): unknown {
  if (!(failure instanceof CompileError)) return failure;
  const diagnostics = readDiagnostics(failure.diagnostics, loader);
  const first = diagnostics.findIndex(({ severity }) => severity !== "note");
  const main = diagnostics[first];
  if (main === undefined) return failure;
  const notes = diagnostics.slice(first + 1, first + SHOWN).map(describe);
  const { source, line, column, message } = main;
  const error = new MslError({ source, offset: source.offset({ line, column }), reason: message, notes });
  error.cause = failure;
  return error;
}

function readDiagnostics(text: string, loader: SourceLoader): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const written of text.split("\n")) {
    const [, file, line, column, severity, message] = DIAGNOSTIC.exec(written) ?? [];
    const source = file === undefined ? undefined : loader.named(file);
    if (source === undefined || severity === undefined || message === undefined) continue;
    if (!found.has(written)) {
      found.set(written, { source, line: Number(line), column: Number(column), severity, message });
    }
  }
  return [...found.values()];
}

function describe({ source, line, column, severity, message }: Diagnostic): string {
  return `${source.name}:${line}:${column}: ${severity}: ${message}\n${excerpt(source, line, column)}`;
}
