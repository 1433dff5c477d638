import { setImmediate as turn } from "node:timers/promises";
import {
  type Case,
  CopyPeer,
  type Figures,
  type Fill,
  figuresOf,
  MetilePeer,
  measureCase,
  type Output,
  operationNamed,
  Progress,
  type Shape,
  widthOf,
} from "@metile/bench";
import { type Device, version } from "@metile/runtime";
import type { Settings } from "./arguments.js";
import { check, passes } from "./check/check.js";
import { references } from "./reference/index.js";
import { closingLine, errorText, type Finding, findingsTable } from "./report.js";
import { textFill } from "./rows/rows.js";
import type { Prose } from "./text/prose.js";
import { Tokenizer } from "./text/tokenizer.js";

const dtypes = ["float32", "bfloat16", "float16"] as const;
const vocabulary = 2048;
const bytes = (task: Case): number => operationNamed(task.operation).bytes(task.pass, task);

/** What a run of the demo needs. */
export interface DemoOptions {
  readonly settings: Pick<Settings, "tokens" | "columns" | "repeats">;
  readonly prose: Prose;
  readonly device: Device;
  readonly output: Output;
  /** Ends the run after what is at hand. */
  readonly signal: AbortSignal;
}

/** Times both passes beside a plain copy. */
async function time(operation: string, shape: Shape, fill: Fill, { device, settings, signal }: DemoOptions) {
  const peers = [new MetilePeer(device, operationNamed, version, fill), new CopyPeer(device, bytes)];
  const measure = async (pass: Case["pass"]): Promise<Figures> => {
    const task = { operation, pass, ...shape };
    const result = await measureCase(task, peers, { repeats: settings.repeats, rest: 1, signal });
    const failure = result.failures.metile;
    if (failure !== undefined) throw new Error(`${operation} ${pass} ${shape.dtype}: ${failure}`);
    return figuresOf(result, bytes(task), undefined);
  };
  return { forward: await measure("forward"), backward: await measure("backward") };
}

/**
 * Takes text through the norms: tokens, their embeddings as rows, forward and backward in every floating type, each result
 * against a float64 reference, each pass timed beside a plain copy of as many bytes.
 *
 * @returns whether every error is within its tolerance
 * @throws FaultError and the like when the device fails
 */
export async function demo(options: DemoOptions): Promise<boolean> {
  const { settings, prose, device, output, signal } = options;
  const progress = new Progress(output);
  const { hardware, level, reason } = device.info;
  progress.line(`Device: ${device.name} (${reason}): ${hardware}, ${level}, ${device.threads} threads`);
  const tokenizer = Tokenizer.train(prose.text, vocabulary);
  const encoded = tokenizer.encode(prose.text);
  const tokens = encoded.slice(0, settings.tokens);
  progress.line(`Text: ${prose.from}, ${prose.text.length} characters`);
  progress.line(`Tokens: ${tokens.length} of ${encoded.length}, byte pairs from a vocabulary of ${tokenizer.size}`);
  progress.line(`Rows: ${tokens.length} × ${settings.columns}, the tokens' embeddings from a seeded table`);
  progress.line("Errors: outputs and float32 gradients of all rows, against float64");
  const fill = textFill(tokens, tokenizer.size, settings.columns);
  const findings: Finding[] = [];
  for (const [operation, reference] of references)
    for (const dtype of dtypes) {
      await turn(); // the event loop hears Ctrl-C
      if (signal.aborted) break;
      const shape = {
        rows: tokens.length,
        columns: settings.columns,
        dtype,
        gradientType: "float32",
        rounding: "once",
      } as const;
      progress.now(`${operation} ${dtype}: checking`);
      const checked = check(operationNamed(operation), reference, shape, fill, device);
      progress.now(`${operation} ${dtype}: timing`);
      await turn();
      const { forward, backward } = await time(operation, shape, fill, options);
      findings.push({ operation, dtype, checked, forward, backward });
      const errors = `output ${errorText(checked.output)}, gradient ${errorText(checked.gradient)}`;
      progress.line(`${operation} ${dtype}: ${passes(checked) ? "ok" : "FAILED"} (${errors})`);
    }
  progress.clear();
  if (findings.length > 0) {
    output.write(`\n${findingsTable(findings, widthOf(output))}\n\n`);
    output.write("Errors: the largest, of what is allowed there.\nIn brackets: share of a plain copy's bandwidth.\n");
    output.write(`${closingLine(findings)}\n`);
  }
  if (signal.aborted) output.write("Stopped.\n");
  return findings.every(({ checked }) => passes(checked));
}
