import { resolve } from "node:path";
import { device as open } from "@metile/runtime";
import { parseSettings, type Settings, UsageError, usage } from "./arguments.js";
import { docsFolder, locate, resultsFolder } from "./assets.js";
import { docsCommand } from "./docs-command.js";
import { operations } from "./operations/index.js";
import { writeDocs } from "./report/docs.js";
import { Progress, widthOf } from "./report/progress.js";
import type { RunRecord } from "./report/record.js";
import { hostTable, operationTable } from "./report/tables.js";
import { run } from "./run.js";
import { tuneCommand } from "./tune/command.js";
import { compileVariants } from "./tune/compile.js";

function report(record: RunRecord, settings: Settings): void {
  const { cases, host, absent, stopped } = record;
  const width = widthOf(process.stdout);
  const print = (text = ""): void => void process.stdout.write(`${text}\n`);
  print();
  if (stopped) print("Stopped: this is what was measured until then.");
  if (cases.length > 0) {
    print(`Medians; gradients in ${settings.gradientType === "input" ? "the input's type" : "float32"}`);
    print(operationTable(cases, width));
    if (cases.every(({ target }) => target === undefined)) print("No target is stated for these sizes.");
    for (const message of new Set(Object.values(absent))) print(message);
    print();
  }
  if (host.length > 0) print(`${hostTable(host, width)}\n`);
  print(`Written to ${locate(settings.out)}`);
}

async function bench(parameters: readonly string[], stop: AbortSignal): Promise<number> {
  const settings = parseSettings(parameters, [...operations.keys()], {
    out: resolve(resultsFolder, "latest.json"),
    docs: docsFolder,
    python: process.env.METILE_PYTHON,
    liger: process.env.METILE_LIGER,
  });
  if (settings === undefined) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const record = await run(settings, open(settings.device), stop, new Progress(process.stderr));
  report(record, settings);
  if (settings.docs !== undefined)
    for (const path of writeDocs(record, settings.docs)) process.stdout.write(`Written to ${path}\n`);
  if (record.cases.some(({ failures }) => "metile" in failures)) return 1;
  return record.stopped ? 130 : 0;
}

/**
 * The command: `bench`, `bench docs`, `bench tune`.
 *
 * @returns the exit status: 0, 1 when meTile failed somewhere, 2 for a wrong command line, 130 when it was stopped
 */
export async function main(parameters: readonly string[]): Promise<number> {
  const [first, ...rest] = parameters.filter((one) => one !== "--");
  const stop = new AbortController();
  const onSignal = (): void => {
    // The second one means it.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  try {
    // A helper of the tuner's: its parent decides when it ends.
    if (first === "tune-compile") return await compileVariants(rest);
    process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
    if (first === "docs") return docsCommand(rest);
    if (first === "tune") return await tuneCommand(rest, stop.signal);
    return await bench(parameters, stop.signal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${error.help ?? usage}\n`);
    return 2;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}
