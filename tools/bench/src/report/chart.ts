/** A group of bars, one a series; a missing value leaves its place empty. */
export interface BarGroup {
  readonly label: string;
  readonly values: Readonly<Record<string, number | undefined>>;
}

/** A chart of shares. */
export interface BarChart {
  readonly title: string;
  readonly subtitle: string;
  /** In the order of the bars. */
  readonly series: readonly string[];
  readonly groups: readonly BarGroup[];
}

/** Readable on white and on black, and apart from each other for the colour-blind (Okabe and Ito). */
const colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9"];

const labelWidth = 190;
const plotWidth = 520;
const valueWidth = 60;
const bar = 13;
const gap = 12;
const top = 78;

/** Text for XML. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** The end of the scale: 100 %, or more where a bar is longer. */
function limitOf(chart: BarChart): number {
  const values = chart.groups.flatMap(({ values }) => Object.values(values)).map((value) => value ?? 0);
  return Math.max(1, Math.ceil(Math.max(...values, 0) * 10) / 10);
}

/**
 * Horizontal bars as SVG, for a page that is light or dark: text takes the reader's colour by a media query, nothing is drawn
 * behind it.
 */
export function barChart(chart: BarChart): string {
  const { title, subtitle, series, groups } = chart;
  const limit = limitOf(chart);
  const height = series.length * bar + gap;
  const bottom = top + groups.length * height;
  const x = (value: number): number => Number((labelWidth + (plotWidth * value) / limit).toFixed(1));
  const width = labelWidth + plotWidth + valueWidth;
  const colour = (index: number): string => colours[index % colours.length] as string;
  const marks = Array.from({ length: Math.floor(limit / 0.25 + 1e-9) + 1 }, (_, index) => index * 0.25);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 24}" role="img" aria-label="${escaped(title)}">`,
    "<style>text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-size:15px;font-weight:600}.soft{fill:#59636e}" +
      "line{stroke:#8b949e;stroke-opacity:.35}.full{stroke-opacity:.9}" +
      "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.soft{fill:#9198a1}}</style>",
    `<text class="title" x="0" y="16">${escaped(title)}</text>`,
    `<text class="soft" x="0" y="34">${escaped(subtitle)}</text>`,
  ];
  let at = 0;
  for (const [index, name] of series.entries()) {
    lines.push(`<rect x="${at}" y="46" width="12" height="12" fill="${colour(index)}"/>`);
    lines.push(`<text x="${at + 17}" y="56">${escaped(name)}</text>`);
    at += 40 + 7 * name.length;
  }
  for (const mark of marks) {
    const kind = mark === 1 ? ' class="full"' : "";
    lines.push(`<line${kind} x1="${x(mark)}" x2="${x(mark)}" y1="${top - 6}" y2="${bottom}"/>`);
    lines.push(
      `<text class="soft" x="${x(mark)}" y="${bottom + 16}" text-anchor="middle">${Math.round(mark * 100)} %</text>`,
    );
  }
  for (const [place, { label, values }] of groups.entries()) {
    const y = top + place * height;
    lines.push(
      `<text x="${labelWidth - 8}" y="${y + (series.length * bar) / 2 + 4}" text-anchor="end">${escaped(label)}</text>`,
    );
    for (const [index, name] of series.entries()) {
      const value = values[name];
      if (value === undefined) continue;
      const from = y + index * bar;
      const length = Number((x(value) - labelWidth).toFixed(1));
      lines.push(`<rect x="${labelWidth}" y="${from}" width="${length}" height="${bar - 2}" fill="${colour(index)}"/>`);
      lines.push(
        `<text class="soft" x="${x(value) + 4}" y="${from + 10}" font-size="10">${Math.round(value * 100)} %</text>`,
      );
    }
  }
  return `${[...lines, "</svg>"].join("\n")}\n`;
}
