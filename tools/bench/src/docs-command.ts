import { parseArgs } from "node:util";
import { UsageError } from "./arguments.js";
import { docsFolder, locate } from "./assets.js";
import { writeDocs } from "./report/docs.js";
import { readRecord } from "./report/record.js";

/** `bench docs FILE [--into DIR]`: a page and charts from what a run wrote, perhaps on another machine. */
export function docsCommand(parameters: readonly string[]): number {
  let parsed: { values: { into?: string | undefined }; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...parameters], options: { into: { type: "string" } }, allowPositionals: true });
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
  const [file, ...more] = parsed.positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError(`docs: expected one results file, received ${parsed.positionals.length}.`);
  const folder = parsed.values.into === undefined ? docsFolder : locate(parsed.values.into);
  for (const path of writeDocs(readRecord(locate(file)), folder)) process.stdout.write(`Written to ${path}\n`);
  return 0;
}
