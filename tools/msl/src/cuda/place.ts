import { isDirective, splitDirectives } from "../preprocess/directive.js";
import { MslError } from "../text/error.js";
import { Source } from "../text/source.js";
import { tokenize } from "../text/token.js";

/**
 * Runs a reader over a text that is made of several files; what it throws names the file and line that people wrote, by
 * the `#line` directives of the text.
 */
export function namingFiles<Result>(source: Source, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MslError) || error.file !== source.name) throw error;
    throw placeInFile(source, error);
  }
}

function placeInFile(source: Source, error: MslError): MslError {
  const { line, column, reason } = error;
  const origin = originOf(source, line);
  if (origin === undefined) return error;
  // a source that has that line where the file has it
  const file = new Source(origin.name, `${"\n".repeat(origin.line - 1)}${source.line(line)}`);
  return new MslError({ source: file, offset: file.offset({ line: origin.line, column }), reason });
}

/** The file and line that a line of the text comes from. */
function originOf(source: Source, line: number): { name: string; line: number } | undefined {
  let origin: { name: string; line: number } | undefined;
  for (const part of tokensOf(source)) {
    if (!isDirective(part) || part.name !== "line") continue;
    const [number, name] = part.line;
    const at = source.position(part.end).line;
    if (at >= line) break;
    if (number?.kind !== "number" || name?.kind !== "string") continue;
    origin = { name: JSON.parse(name.text) as string, line: Number(number.text) + line - at - 1 };
  }
  return origin;
}

function tokensOf(source: Source) {
  try {
    return splitDirectives(tokenize(source));
  } catch {
    return []; // what does not split into tokens says nothing about its files either
  }
}
