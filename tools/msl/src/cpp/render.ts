import type { ReachedInclude } from "../preprocess/preprocess.js";
import type { Source } from "../text/source.js";
import type { Edit } from "./edit.js";

/** A directive that says where the next line comes from. */
export function lineDirective(source: Source, line: number): string {
  return `#line ${line} ${JSON.stringify(source.name)}\n`;
}

/**
 * The text of a file with edits. Includes of shared and standard headers are blank, those of private files give way to
 * their text.
 */
export function renderSource(
  source: Source,
  edits: ReadonlyMap<Source, readonly Edit[]>,
  includes: readonly ReachedInclude[],
): string {
  const replaced = includes
    .filter(({ directive }) => directive.hash.source === source)
    .map((include): Edit => {
      const { hash, end } = include.directive;
      return { start: hash.start, end, text: renderInclude(include, edits, includes) };
    });
  const all = [...(edits.get(source) ?? []), ...replaced].sort((a, b) => a.start - b.start);
  let text = "";
  let at = 0;
  for (const edit of all) {
    if (edit.start < at) continue; // it lies in a kernel that was taken out
    text += source.text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + source.text.slice(at);
}

function renderInclude(
  { directive, included, repeated }: ReachedInclude,
  edits: ReadonlyMap<Source, readonly Edit[]>,
  includes: readonly ReachedInclude[],
): string {
  if (included.kind !== "private" || repeated) return "";
  const { source } = directive.hash;
  const { line } = source.position(directive.hash.start);
  const text = renderSource(included.source, edits, includes);
  return `\n${lineDirective(included.source, 1)}${text}\n${lineDirective(source, line)}`;
}
