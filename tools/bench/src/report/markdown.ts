import { basename } from "node:path";
import type { CaseFigures } from "./figures.js";
import type { RunRecord } from "./record.js";
import { digits, none, percent, rivalsOf, spread, verdict } from "./tables.js";

/** A table of Markdown; cells may hold anything but a line break. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Bytes in MiB: "64.0". */
function mebibytes(bytes: number | undefined): string {
  return bytes === undefined ? none : digits(bytes / 2 ** 20);
}

/** What peers are, for a reader who has not seen the code. */
const meanings: Readonly<Record<string, string>> = {
  torch: "PyTorch eager in Hugging Face's formulas",
  eager: "PyTorch eager in Hugging Face's formulas",
  compile: "torch.compile of the same formulas",
  liger: "Liger-Kernel",
};

function timesTable(cases: readonly CaseFigures[]): string {
  const rivals = rivalsOf(cases);
  const titles = ["operation", "rows × width", "pass", "dtype", "floor ms", "meTile ms", "quartiles", "of floor"];
  const rows = cases.map((one) => {
    const { copy, metile } = one.milliseconds;
    return [
      one.operation,
      `${one.rows} × ${one.columns}`,
      one.pass,
      one.dtype,
      copy === undefined ? none : digits(copy.median),
      metile === undefined ? none : digits(metile.median),
      metile === undefined ? none : spread(metile),
      percent(one.shareOfCopy),
      ...rivals.map((name) => {
        const summary = one.milliseconds[name];
        return summary === undefined ? none : `${digits(summary.median)} (${percent(one.shares[name])})`;
      }),
      one.ratio === undefined ? none : `${digits(one.ratio)}× ${one.rival}`,
      verdict(one),
    ];
  });
  return markdownTable(
    [...titles, ...rivals.map((name) => `${name} ms (of floor)`), "faster than the best", "target"],
    rows,
  );
}

function memoryTable(cases: readonly CaseFigures[]): string {
  const names = [...new Set(cases.flatMap(({ peakBytes }) => Object.keys(peakBytes)))];
  if (names.length === 0) return "";
  const rows = cases.map((one) => [
    one.operation,
    `${one.rows} × ${one.columns}`,
    one.pass,
    ...names.map((name) => mebibytes(one.peakBytes[name])),
  ]);
  const table = markdownTable(["operation", "rows × width", "pass", ...names.map((name) => `${name} MiB`)], rows);
  return `## Peak memory of one call, above its inputs\n\n${table}\n`;
}

function hostTables({ host }: RunRecord): string {
  if (host.length === 0) return "";
  const rows = host.map(({ operation, peer, what, microseconds, target }) => [
    operation,
    peer,
    what,
    digits(microseconds.median),
    spread(microseconds),
    target === undefined ? "" : `< ${target} µs ${microseconds.median < target ? "met" : "missed"}`,
  ]);
  const table = markdownTable(["operation", "who", "what", "µs", "quartiles", "target"], rows);
  return `## Host cost of a small operation, 8 × 1024\n\n${table}\n`;
}

/**
 * A run as a page of the documentation.
 *
 * @param charts - addresses of the charts, relative to the page, with what they show
 */
export function page(record: RunRecord, charts: readonly { readonly file: string; readonly title: string }[]): string {
  const { device, machine, versions, absent, settings, cases, date, seconds, stopped, timer } = record;
  const processor = device.name === "cpu" ? `, ${device.threads} threads` : ` in a machine with ${machine.processor}`;
  const driver = device.driver === undefined ? "" : `, driver ${device.driver}`;
  const peers = Object.entries(versions)
    .filter(([name]) => name !== "copy")
    .map(([name, version]) => `${name} ${version}`);
  const failures = cases.flatMap(({ operation, pass, rows, columns, failures }) =>
    Object.entries(failures).map(([peer, why]) => `- ${peer}, ${operation} ${pass} ${rows} × ${columns}: ${why}`),
  );
  const legend = rivalsOf(cases).map((name) => `${name}: ${meanings[name] ?? name}.`);
  const lines = [
    `# ${device.hardware}`,
    `${date.slice(0, 10)}, ${device.hardware} (${device.level}${driver})${processor}, ${machine.platform}. ${peers.join(", ")}. ` +
      `Medians of ${settings.repeats} samples, gradients in ${settings.gradientType === "input" ? "the input's type" : "float32"}; ` +
      `the run took ${Math.round(seconds)} s${stopped ? " and was stopped before its end" : ""}.`,
    ["The floor is a copy's time for the bytes that the operation must move, in the same run.", ...legend].join(" "),
    ...charts.map(({ file, title }) => `![${title}](${basename(file)})`),
    `## Times\n\n${timesTable(cases)}`,
    memoryTable(cases),
    hostTables(record),
    failures.length > 0 ? `## What did not run\n\n${failures.join("\n")}` : "",
    Object.keys(absent).length > 0 ? `Not there: ${Object.keys(absent).join(", ")}.` : "",
    timer === undefined
      ? ""
      : `${timer.samples} GPU samples, ${timer.repeated} taken again, ${timer.estimated} estimated; ` +
        `${timer.commandBuffers ?? "?"} command buffers a sample.`,
    "[How it is measured and how to repeat it](README.md).",
  ];
  return `${lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n\n")}\n`;
}
