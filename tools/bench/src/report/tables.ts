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

const none = "-";

/** A share as a whole percentage: "87 %". */
export function percent(share: number | undefined): string {
  return share === undefined ? none : `${Math.round(share * 100)} %`;
}

function spread({ lower, upper }: Summary): string {
  return `${digits(lower)}-${digits(upper)}`;
}

/** "≥ 2× met, copy ≥ 50 % missed", or the targets alone where they are not judged. */
export function verdict({ target, missed, ratio }: Figures): string {
  const judge = (which: "ratio" | "copy"): string => {
    if (missed === undefined) return "";
    if (missed.includes(which)) return " missed";
    return which === "ratio" && ratio === undefined ? "" : " met";
  };
  const copy = `copy ≥ ${percent(target.shareOfCopy)}${judge("copy")}`;
  return target.ratio === undefined ? copy : `≥ ${target.ratio}×${judge("ratio")}, ${copy}`;
}

const columns: readonly Column[] = [
  { title: "operation" },
  { title: "pass" },
  { title: "dtype" },
  { title: "ms", align: "right" },
  { title: "quartiles" },
  { title: "GB/s", align: "right" },
  { title: "of copy", align: "right" },
  { title: "torch ms", align: "right" },
  { title: "ratio", align: "right" },
  { title: "target" },
];

/** The table of large operations: medians, what they mean, and whether targets are met. */
export function operationTable(figures: readonly Figures[], width: number): string {
  const rows = figures.map((one) => {
    const { metile, torch } = one.milliseconds;
    return [
      one.operation,
      one.pass,
      one.dtype,
      metile === undefined ? none : digits(metile.median),
      metile === undefined ? none : spread(metile),
      one.gigabytesASecond === undefined ? none : digits(one.gigabytesASecond),
      percent(one.shareOfCopy),
      torch === undefined ? none : digits(torch.median),
      one.ratio === undefined ? none : `${digits(one.ratio)}×`,
      verdict(one),
    ];
  });
  return renderTable(columns, rows, width, 3);
}

/** The table of what calls cost on the host. */
export function hostTable(costs: readonly HostCost[], width: number): string {
  const rows = costs.map(({ operation, what, microseconds, target }) => [
    operation,
    what,
    digits(microseconds.median),
    spread(microseconds),
    digits(microseconds.least),
    `< ${target} µs ${microseconds.median < target ? "met" : "missed"}`,
  ]);
  const titles: readonly Column[] = [
    { title: "operation" },
    { title: "host cost at 8 × 1024" },
    { title: "µs", align: "right" },
    { title: "quartiles" },
    { title: "least", align: "right" },
    { title: "target" },
  ];
  return renderTable(titles, rows, width, 2);
}
