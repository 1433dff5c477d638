import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BarChart, barChart } from "./chart.js";
import type { CaseFigures } from "./figures.js";
import { page } from "./markdown.js";
import type { RunRecord } from "./record.js";
import { rivalsOf } from "./tables.js";

/** A name for files: "NVIDIA H200" on cuda is "cuda-nvidia-h200". */
export function fileName({ device }: Pick<RunRecord, "device">): string {
  const kind = device.name.replace(/:.*/, "");
  return `${kind}-${device.hardware}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

function chartOf(cases: readonly CaseFigures[], pass: string, dtype: string, record: RunRecord): BarChart {
  const shown = cases.filter((one) => one.pass === pass && one.dtype === dtype);
  return {
    title: `${pass}, ${dtype}: share of the floor`,
    subtitle: `${record.device.hardware}, ${record.date.slice(0, 10)}; 100 % is a copy of as many bytes. Longer is faster.`,
    series: ["metile", ...rivalsOf(shown)],
    groups: shown.map(({ operation, rows, columns, shares }) => ({
      label: `${operation} ${rows}×${columns}`,
      values: shares,
    })),
  };
}

/**
 * Writes a page and its charts, one for each pass and type.
 *
 * @returns the paths that were written, the page's first
 */
export function writeDocs(record: RunRecord, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const name = fileName(record);
  const charts: { file: string; title: string }[] = [];
  const kinds = new Set(record.cases.map(({ pass, dtype }) => `${pass} ${dtype}`));
  for (const kind of kinds) {
    const [pass = "", dtype = ""] = kind.split(" ");
    const chart = chartOf(record.cases, pass, dtype, record);
    const file = join(folder, `${name}-${pass.replace("+", "-")}-${dtype}.svg`);
    writeFileSync(file, barChart(chart));
    charts.push({ file, title: chart.title });
  }
  const path = join(folder, `${name}.md`);
  writeFileSync(path, page(record, charts));
  return [path, ...charts.map(({ file }) => file)];
}
