/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Default: "left". */
  readonly align?: "left" | "right";
}

const gap = "  ";

function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  return align === "right" ? text.padStart(width) : text.padEnd(width);
}

/** One block a row: its key columns as a heading, then a line for each other cell. */
function stacked(columns: readonly Column[], rows: readonly (readonly string[])[], keys: number): string {
  const rest = columns.slice(keys);
  const widest = Math.max(...rest.map(({ title }) => title.length));
  return rows
    .map((cells) => {
      const heading = cells.slice(0, keys).join(" ");
      const lines = rest.map(({ title }, index) => `${gap}${pad(title, widest)}${gap}${cells[keys + index] ?? ""}`);
      return [heading, ...lines].map((line) => line.trimEnd()).join("\n");
    })
    .join("\n");
}

/**
 * A table in plain text: one line a row if it fits the width, else one block a row. Lines have no trailing spaces.
 *
 * @param columns - titles and alignment
 * @param rows - cells in the order of the columns; a missing one is empty
 * @param width - characters a line
 * @param keys - how many of the first columns name a row, for the heading of its block. Default: 1
 * @example
 * renderTable([{ title: "operation" }, { title: "ms", align: "right" }], [["rmsNorm", "31.2"]], 80);
 * // operation    ms
 * // rmsNorm    31.2
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  keys = 1,
): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((cells) => (cells[index] ?? "").length)),
  );
  const total = widths.reduce((sum, one) => sum + one, gap.length * (columns.length - 1));
  if (total > width) return stacked(columns, rows, keys);
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => pad(cells[index] ?? "", widths[index] as number, align))
      .join(gap)
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map(line)].join("\n");
}
