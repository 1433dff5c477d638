import { markdownTable } from "../report/markdown.js";
import type { RunRecord } from "../report/record.js";
import { digits, percent } from "../report/tables.js";
import { type Candidate, describeCandidate } from "./candidates.js";
import type { Choice, Timed } from "./choice.js";

/** What was found for a kernel at a width. */
export interface Tuned extends Choice {
  readonly kernel: string;
  readonly columns: number;
  /** A copy's time for the bytes that the kernel moves. */
  readonly floorMilliseconds: number;
  readonly tried: number;
  readonly finalists: readonly Timed[];
  /** Every candidate of the first pass with the time of a call. */
  readonly firstPass: readonly { readonly candidate: Candidate; readonly milliseconds: number }[];
  /** What did not run, and why. */
  readonly failures: readonly string[];
}

/** A sweep as it is written to disk. */
export interface TuneRecord extends Pick<RunRecord, "date" | "stopped" | "machine" | "device" | "settings" | "timer"> {
  readonly format: 1;
  readonly results: readonly Tuned[];
}

/** The best beside the table, for a person who is about to edit the table. */
export function summaryOf(record: TuneRecord): string {
  const { results, device, date, settings, stopped } = record;
  const rows = results.map((one) => [
    one.kernel,
    String(one.columns),
    digits(one.floorMilliseconds),
    `${digits(one.tableMilliseconds)} (${percent(one.floorMilliseconds / one.tableMilliseconds)})`,
    describeCandidate(one.table),
    `${digits(one.bestMilliseconds)} (${percent(one.floorMilliseconds / one.bestMilliseconds)})`,
    one.lossPercent === 0 ? "the table's" : describeCandidate(one.best),
    `${one.lossPercent.toFixed(1)} %${one.lossPercent > 0 && !one.certain ? " (within the spread)" : ""}`,
  ]);
  const worst = results.length > 0 ? Math.max(...results.map(({ lossPercent }) => lossPercent)) : undefined;
  const lines = [
    `# Launch settings, ${device.hardware}`,
    `${date.slice(0, 10)}, ${device.hardware} (${device.level}), ${settings.rows} rows, ${settings.dtype}` +
      `${stopped ? "; stopped before its end" : ""}. Milliseconds of a launch, with the sums over parts for backward kernels; in ` +
      "brackets the share of a copy's bandwidth.",
    worst === undefined ? "Nothing was measured." : `The table loses ${worst.toFixed(1)} % at most.`,
    markdownTable(["kernel", "width", "floor ms", "table ms", "table", "best ms", "best", "the table loses"], rows),
  ];
  return `${lines.join("\n\n")}\n`;
}
