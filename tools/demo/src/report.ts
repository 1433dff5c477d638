import { type Column, digits, type Figures, percent, renderTable } from "@metile/bench";
import { type Checked, passes } from "./check/check.js";
import type { Comparison } from "./check/compare.js";

/** What the demo found out about an operation in a type. */
export interface Finding {
  readonly operation: string;
  readonly dtype: string;
  readonly checked: Checked;
  readonly forward: Figures;
  readonly backward: Figures;
}

/** "0.502 of 1 step", "3.1e-7 of 1.2e-5". */
export function errorText({ error, allowed, inSteps }: Comparison): string {
  if (inSteps) return `${Number.isFinite(error) ? digits(error) : error} of ${allowed} step${allowed === 1 ? "" : "s"}`;
  return `${error.toExponential(1)} of ${allowed.toExponential(1)}`;
}

function speedText({ gigabytesASecond, shareOfCopy }: Figures): string {
  return gigabytesASecond === undefined ? "-" : `${digits(gigabytesASecond)} (${percent(shareOfCopy)})`;
}

function resultText({ output, gradient }: Checked): string {
  const failed = [output, gradient].filter(({ error, allowed }) => !(error <= allowed)).map(({ name }) => name);
  return failed.length === 0 ? "ok" : `FAILED: ${failed.join(", ")}`;
}

const columns: readonly Column[] = [
  { title: "operation" },
  { title: "dtype" },
  { title: "output error", align: "right" },
  { title: "gradient error", align: "right" },
  { title: "forward GB/s", align: "right" },
  { title: "backward GB/s", align: "right" },
  { title: "result" },
];

/** The closing table. */
export function findingsTable(findings: readonly Finding[], width: number): string {
  const rows = findings.map(({ operation, dtype, checked, forward, backward }) => [
    operation,
    dtype,
    errorText(checked.output),
    errorText(checked.gradient),
    speedText(forward),
    speedText(backward),
    resultText(checked),
  ]);
  return renderTable(columns, rows, width, 2);
}

/** The last line: how many combinations are within their tolerances. */
export function closingLine(findings: readonly Finding[]): string {
  const good = findings.filter(({ checked }) => passes(checked)).length;
  return `${good} of ${findings.length} within tolerance${good === findings.length ? "." : ": see FAILED above."}`;
}
