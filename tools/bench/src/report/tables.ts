import type { HostCost } from "../host/host-cost.js";
import type { Summary } from "../measure/statistics.js";
import type { Figures } from "./figures.js";
import { type Column, renderTable } from "./table.js";

/** Three significant digits, without an exponent: "0.0123", "1.23", "12.3", "1230". */
export function digits(value: number): string {
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(3));
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(rounded))));
  return rounded.toFixed(Math.min(decimals, 6));
}

/** What a cell without a value says. */
export const none = "-";

/** A share as a whole percentage: "87 %". */
export function percent(share: number | undefined): string {
  return share === undefined ? none : `${Math.round(share * 100)} %`;
}

/** The quartiles: "15.0-25.0". */
export function spread({ lower, upper }: Summary): string {
  return `${digits(lower)}-${digits(upper)}`;
}

/** "≥ 2× met, copy ≥ 50 % missed", or the targets alone where they are not judged. */
export function verdict({ target, missed, ratio }: Figures): string {
  if (target === undefined) return "";
  const judge = (which: "ratio" | "copy"): string => {
    if (missed === undefined) return "";
    if (missed.includes(which)) return " missed";
    return which === "ratio" && ratio === undefined ? "" : " met";
  };
  const parts: string[] = [];
  if (target.ratio !== undefined) parts.push(`≥ ${target.ratio}×${judge("ratio")}`);
  if (target.shareOfCopy !== undefined) parts.push(`copy ≥ ${percent(target.shareOfCopy)}${judge("copy")}`);
  return parts.join(", ");
}

/** Peers beside meTile and the copy that have samples, in the order in which they were measured. */
export function rivalsOf(figures: readonly Figures[]): string[] {
  const names = figures.flatMap(({ milliseconds }) => Object.keys(milliseconds));
  return [...new Set(names)].filter((name) => name !== "metile" && name !== "copy");
}

/** The table of large operations: medians, what they mean, and whether targets are met. */
export function operationTable(figures: readonly Figures[], width: number): string {
  const rivals = rivalsOf(figures);
  const columns: readonly Column[] = [
    { title: "operation" },
    { title: "pass" },
    { title: "dtype" },
    { title: "size" },
    { title: "ms", align: "right" },
    { title: "quartiles" },
    { title: "GB/s", align: "right" },
    { title: "of copy", align: "right" },
    ...rivals.map((name) => ({ title: `${name} ms`, align: "right" }) as const),
    { title: "ratio", align: "right" },
    { title: "target" },
  ];
  const rows = figures.map((one) => {
    const { metile } = one.milliseconds;
    return [
      one.operation,
      one.pass,
      one.dtype,
      `${one.rows}×${one.columns}`,
      metile === undefined ? none : digits(metile.median),
      metile === undefined ? none : spread(metile),
      one.gigabytesASecond === undefined ? none : digits(one.gigabytesASecond),
      percent(one.shareOfCopy),
      ...rivals.map((name) => {
        const summary = one.milliseconds[name];
        return summary === undefined ? none : digits(summary.median);
      }),
      one.ratio === undefined ? none : `${digits(one.ratio)}×`,
      verdict(one),
    ];
  });
  return renderTable(columns, rows, width, 4);
}

/** The table of what calls cost on the host. */
export function hostTable(costs: readonly HostCost[], width: number): string {
  const rows = costs.map(({ operation, peer, what, microseconds, target }) => [
    operation,
    peer,
    what,
    digits(microseconds.median),
    spread(microseconds),
    digits(microseconds.least),
    target === undefined ? "" : `< ${target} µs ${microseconds.median < target ? "met" : "missed"}`,
  ]);
  const titles: readonly Column[] = [
    { title: "operation" },
    { title: "who" },
    { title: "host cost at 8 × 1024" },
    { title: "µs", align: "right" },
    { title: "quartiles" },
    { title: "least", align: "right" },
    { title: "target" },
  ];
  return renderTable(titles, rows, width, 3);
}
