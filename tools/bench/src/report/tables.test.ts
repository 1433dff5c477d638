import { describe, expect, it } from "vitest";
import type { CaseResult } from "../measure/runner.js";
import { figuresOf } from "./figures.js";
import { digits, hostTable, operationTable, percent, verdict } from "./tables.js";

function measured(samples: CaseResult["samples"], size = { rows: 4096, columns: 8192 }): CaseResult {
  const task = {
    operation: "rmsNorm",
    pass: "forward",
    dtype: "float32",
    gradientType: "input",
    rounding: "once",
    ...size,
  } as const;
  return { task, samples, failures: {} };
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

describe("figuresOf", () => {
  it("gives bandwidth, share of the copy and ratio from medians", () => {
    const figures = figuresOf(measured({ metile: [10, 30, 20], copy: [15, 15, 15], torch: [60, 50, 70] }), 4e8, 2);
    expect(figures).toMatchObject({ gigabytesASecond: 20, shareOfCopy: 0.75, ratio: 3, missed: [] });
  });

  it("says what was missed", () => {
    const slow = figuresOf(measured({ metile: [20], copy: [9.9], torch: [39.9] }), 4e8, 2);
    expect(slow.missed).toEqual(["ratio", "copy"]);
  });

  it("leaves out what a missing peer would give, and does not judge it", () => {
    const alone = figuresOf(measured({ metile: [20], copy: [10], torch: [] }), 4e8, 2);
    expect(alone.ratio).toBeUndefined();
    expect(verdict(alone)).toBe("≥ 2×, copy ≥ 50 % met");
  });

  it("judges nothing at another size than the one that targets are stated for", () => {
    const other = figuresOf(measured({ metile: [20], copy: [1], torch: [20] }, { rows: 8, columns: 8 }), 4e8, 2);
    expect(other.missed).toBeUndefined();
    expect(verdict(other)).toBe("≥ 2×, copy ≥ 50 %");
  });
});

describe("tables", () => {
  it("shows a case with its target", () => {
    const figures = figuresOf(measured({ metile: [10, 30, 20], copy: [15, 15, 15], torch: [30] }), 4e8, 2);
    expect(operationTable([figures], 120)).toMatchInlineSnapshot(`
      "operation  pass     dtype      ms  quartiles  GB/s  of copy  torch ms  ratio  target
      rmsNorm    forward  float32  20.0  15.0-25.0  20.0     75 %      30.0  1.50×  ≥ 2× missed, copy ≥ 50 % met"
    `);
  });

  it("shows dashes for what could not be measured", () => {
    expect(operationTable([figuresOf(measured({ metile: [] }), 4e8, undefined)], 120)).toContain(" -  ");
    expect(percent(undefined)).toBe("-");
  });

  it("shows host costs with their limits", () => {
    const microseconds = { samples: 3, median: 12, lower: 11, upper: 13, least: 10 };
    const table = hostTable([{ operation: "rmsNorm", what: "enqueue forward", target: 10, microseconds }], 120);
    expect(table).toContain("rmsNorm    enqueue forward        12.0  11.0-13.0   10.0  < 10 µs missed");
  });
});
