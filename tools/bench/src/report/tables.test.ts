import { describe, expect, it } from "vitest";
import type { CaseResult } from "../measure/runner.js";
import { figuresOf } from "./figures.js";
import { digits, hostTable, operationTable, percent, verdict } from "./tables.js";
import { targetOf } from "./targets.js";

function measured(samples: CaseResult["samples"], size = { rows: 4096, columns: 8192 }): CaseResult {
  const task = {
    operation: "rmsNorm",
    pass: "forward",
    dtype: "float32",
    gradientType: "input",
    rounding: "once",
    ...size,
  } as const;
  return { task, samples, peakBytes: {}, failures: {} };
}

describe("digits", () => {
  it.each([
    [0, "0"],
    [0.012345, "0.0123"],
    [1.2345, "1.23"],
    [9.999, "10.0"],
    [31.25, "31.3"],
    [1234.5, "1230"],
  ])("writes %d as %s", (value, text) => expect(digits(value)).toBe(text));
});

const target = { ratio: 2, shareOfCopy: 0.5 };

describe("figuresOf", () => {
  it("gives bandwidth, shares of the copy and ratio from medians", () => {
    const figures = figuresOf(measured({ metile: [10, 30, 20], copy: [15, 15, 15], torch: [60, 50, 70] }), 4e8, target);
    expect(figures).toMatchObject({ gigabytesASecond: 20, ratio: 3, rival: "torch", missed: [] });
    expect(figures.shares).toEqual({ metile: 0.75, torch: 0.25 });
    expect(figures.samples.metile).toEqual([10, 30, 20]);
  });

  it("compares with the best of several peers", () => {
    const figures = figuresOf(
      measured({ metile: [10], copy: [9], eager: [50], liger: [15], compile: [20] }),
      4e8,
      target,
    );
    expect(figures).toMatchObject({ ratio: 1.5, rival: "liger", missed: ["ratio"] });
  });

  it("says what was missed", () => {
    const slow = figuresOf(measured({ metile: [20], copy: [9.9], torch: [39.9] }), 4e8, target);
    expect(slow.missed).toEqual(["ratio", "copy"]);
  });

  it("leaves out what a missing peer would give, and does not judge it", () => {
    const alone = figuresOf(measured({ metile: [20], copy: [10], torch: [] }), 4e8, target);
    expect(alone.ratio).toBeUndefined();
    expect(verdict(alone)).toBe("≥ 2×, copy ≥ 50 % met");
  });

  it("judges nothing without a target", () => {
    const other = figuresOf(measured({ metile: [20], copy: [1], torch: [20] }), 4e8, undefined);
    expect(other.missed).toBeUndefined();
    expect(verdict(other)).toBe("");
  });
});

describe("targetOf", () => {
  const task = { ...measured({}).task, dtype: "bfloat16" } as const;
  const gpu = { ...task, rows: 8192, columns: 16384, pass: "forward+backward" } as const;

  it("knows the size that targets are stated for on each device", () => {
    expect(targetOf("cpu", task)).toEqual({ ratio: 5, shareOfCopy: 0.5 });
    expect(targetOf("cpu", { ...task, rows: 8 })).toBeUndefined();
    expect(targetOf("cuda:1", gpu)).toEqual({ ratio: 1.15, shareOfCopy: 0.88 });
    expect(targetOf("cuda", { ...gpu, operation: "layerNorm" })?.shareOfCopy).toBe(0.84);
    expect(targetOf("cuda", { ...gpu, pass: "forward" })).toEqual({ ratio: 0.98, shareOfCopy: undefined });
    expect(targetOf("cuda", { ...gpu, dtype: "float32" })).toBeUndefined();
    expect(targetOf("metal", gpu)).toBeUndefined();
  });
});

describe("tables", () => {
  it("shows a case with its target and every peer", () => {
    const samples = { metile: [10, 30, 20], copy: [15, 15, 15], eager: [30], liger: [40] };
    expect(operationTable([figuresOf(measured(samples), 4e8, target)], 150)).toMatchInlineSnapshot(`
      "operation  pass     dtype    size         ms  quartiles  GB/s  of copy  eager ms  liger ms  ratio  target
      rmsNorm    forward  float32  4096×8192  20.0  15.0-25.0  20.0     75 %      30.0      40.0  1.50×  ≥ 2× missed, copy ≥ 50 % met"
    `);
  });

  it("shows dashes for what could not be measured", () => {
    expect(operationTable([figuresOf(measured({ metile: [] }), 4e8, undefined)], 150)).toContain(" -  ");
    expect(percent(undefined)).toBe("-");
  });

  it("shows host costs with their limits, and whose they are", () => {
    const microseconds = { samples: 3, median: 12, lower: 11, upper: 13, least: 10 };
    const cost = { operation: "rmsNorm", what: "enqueue forward", microseconds };
    const table = hostTable(
      [
        { ...cost, peer: "metile", target: 10 },
        { ...cost, peer: "liger", target: undefined },
      ],
      120,
    );
    expect(table.split("\n").slice(1)).toMatchInlineSnapshot(`
      [
        "rmsNorm    metile  enqueue forward        12.0  11.0-13.0   10.0  < 10 µs missed",
        "rmsNorm    liger   enqueue forward        12.0  11.0-13.0   10.0",
      ]
    `);
  });
});
