import { expect, it } from "vitest";
import { closingLine, errorText, type Finding, findingsTable } from "./report.js";

const speed = {
  operation: "rmsNorm",
  dtype: "float32",
  rows: 8,
  columns: 8,
  gradientType: "float32",
  bytes: 1,
  milliseconds: {},
  ratio: undefined,
  target: { ratio: undefined, shareOfCopy: 0.5 },
  missed: undefined,
  failures: {},
} as const;

function finding(error: number): Finding {
  return {
    operation: "rmsNorm",
    dtype: "bfloat16",
    checked: {
      output: { name: "output", error: 0.502, allowed: 1, inSteps: true },
      gradient: { name: "weight", error, allowed: 1.25e-5, inSteps: false },
    },
    forward: { ...speed, pass: "forward", gigabytesASecond: 12.34, shareOfCopy: 0.871 },
    backward: { ...speed, pass: "backward", gigabytesASecond: undefined, shareOfCopy: undefined },
  };
}

it("shows errors beside what is allowed, and speed beside its share of a copy", () => {
  expect(findingsTable([finding(3.1e-7)], 120)).toMatchInlineSnapshot(`
    "operation  dtype        output error    gradient error  forward GB/s  backward GB/s  result
    rmsNorm    bfloat16  0.502 of 1 step  3.1e-7 of 1.3e-5   12.3 (87 %)              -  ok"
  `);
});

it("fits a narrow terminal", () => {
  const lines = findingsTable([finding(3.1e-7)], 40).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(lines[0]).toBe("rmsNorm bfloat16");
});

it("names what is not within its tolerance, and counts", () => {
  const good = finding(3.1e-7);
  for (const bad of [finding(2e-5), finding(Number.POSITIVE_INFINITY), finding(Number.NaN)]) {
    expect(findingsTable([good, bad], 120)).toContain("FAILED: weight");
    expect(closingLine([good, bad])).toBe("1 of 2 within tolerance: see FAILED above.");
  }
  expect(closingLine([good, good])).toBe("2 of 2 within tolerance.");
});

it("writes an error that is no number as one", () => {
  expect(errorText({ error: Number.POSITIVE_INFINITY, allowed: 1, inSteps: true })).toBe("Infinity of 1 step");
});
