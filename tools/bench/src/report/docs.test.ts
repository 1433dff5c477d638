import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { barChart } from "./chart.js";
import { fileName, writeDocs } from "./docs.js";
import { figuresOf } from "./figures.js";
import { markdownTable } from "./markdown.js";
import { type RunRecord, readRecord, writeJson } from "./record.js";

const folder = mkdtempSync(join(tmpdir(), "metile-bench-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const task = {
  operation: "rmsNorm",
  pass: "forward+backward",
  dtype: "bfloat16",
  gradientType: "input",
  rounding: "separate",
  rows: 8192,
  columns: 4096,
} as const;
const samples = { metile: [2, 2, 2], copy: [1.8, 1.8, 1.8], eager: [20, 20, 20], liger: [3, 3, 3] };
const figures = figuresOf(
  { task, samples, peakBytes: { metile: 2 ** 20, liger: 2 ** 21 }, failures: { compile: "no" } },
  4e8,
  {
    ratio: 1.15,
    shareOfCopy: 0.88,
  },
);
const record: RunRecord = {
  format: 2,
  date: "2026-11-30T20:00:00.000Z",
  seconds: 90.4,
  stopped: false,
  machine: { platform: "linux-x64", system: "6", processor: "EPYC", cores: 16, memoryBytes: 1 },
  device: { name: "cuda", hardware: "NVIDIA H200", level: "sm_90, CUDA 13.0", threads: 16, driver: "580.1" },
  versions: { node: "v20", metile: "0.1.0", copy: "cuda", eager: "2.11.0" },
  absent: {},
  settings: { repeats: 3, gradientType: "input" },
  timer: { samples: 6, repeated: 1, estimated: 0, commandBuffers: 2 },
  cases: [figures],
  host: [
    {
      operation: "rmsNorm",
      peer: "metile",
      what: "enqueue forward + backward",
      target: 30,
      microseconds: { samples: 3, median: 29, lower: 28, upper: 31, least: 27 },
    },
  ],
};

describe("writeDocs", () => {
  const paths = writeDocs(record, folder);
  const text = readFileSync(paths[0] as string, "utf8");

  it("names page and charts for the device", () => {
    expect(fileName(record)).toBe("cuda-nvidia-h200");
    expect(paths.map((path) => path.slice(folder.length + 1))).toEqual([
      "cuda-nvidia-h200.md",
      "cuda-nvidia-h200-forward-backward-bfloat16.svg",
    ]);
    expect(text).toContain("](cuda-nvidia-h200-forward-backward-bfloat16.svg)");
  });

  it("says machine, versions, date and how it was measured", () => {
    expect(text).toContain("2026-11-30, NVIDIA H200 (sm_90, CUDA 13.0, driver 580.1) in a machine with EPYC");
    expect(text).toContain("eager 2.11.0");
    expect(text).toContain("6 GPU samples, 1 taken again, 0 estimated; 2 command buffers a sample.");
  });

  it("has times with shares, memory, host cost and what did not run", () => {
    expect(text).toContain(
      "| rmsNorm | 8192 × 4096 | forward+backward | bfloat16 | 1.80 | 2.00 | 2.00-2.00 | 90 % | 20.0 (9 %) | 3.00 (60 %) | " +
        "1.50× liger | ≥ 1.15× met, copy ≥ 88 % met |",
    );
    expect(text).toContain("| rmsNorm | 8192 × 4096 | forward+backward | 1.00 | 2.00 |");
    expect(text).toContain("| rmsNorm | metile | enqueue forward + backward | 29.0 | 28.0-31.0 | < 30 µs met |");
    expect(text).toContain("- compile, rmsNorm forward+backward 8192 × 4096: no");
  });
});

describe("barChart", () => {
  const chart = {
    title: "a < b",
    subtitle: "s",
    series: ["metile", "liger"],
    groups: [{ label: "rmsNorm & more", values: { metile: 0.5, liger: undefined } }],
  };

  it("draws a bar a value, as long as its share, and leaves out what is missing", () => {
    const svg = barChart(chart);
    const bars = [...svg.matchAll(/<rect x="190" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
    expect(bars).toEqual([260]);
    expect(svg).toContain(">50 %</text>");
  });

  it("is well-formed, whatever the labels are", () => {
    const svg = barChart(chart);
    expect(svg).toContain("a &lt; b");
    expect(svg).toContain("rmsNorm &amp; more");
    expect(svg.match(/<(text|svg|style)\b/g)?.length).toBe(svg.match(/<\/(text|svg|style)>/g)?.length);
  });

  it("stretches its scale for a share above 1, and takes the reader's colours", () => {
    const svg = barChart({ ...chart, groups: [{ label: "x", values: { metile: 1.3 } }] });
    expect(svg).toContain('width="520"');
    expect(svg).toContain("prefers-color-scheme:dark");
  });
});

describe("records", () => {
  it("come back as they were written, and leave nothing beside them", () => {
    const path = join(folder, "deep/results.json");
    writeJson(path, record);
    expect(readRecord(path)).toEqual(JSON.parse(JSON.stringify(record)));
  });

  it("of another layout are refused", () => {
    const path = join(folder, "old.json");
    writeFileSync(path, '{"format":1}');
    expect(() => readRecord(path)).toThrowError("expected results of format 2, received 1");
  });
});

it("escapes what would end a cell", () => {
  expect(markdownTable(["a"], [["x|y"]])).toBe("| a |\n| --- |\n| x\\|y |");
});
