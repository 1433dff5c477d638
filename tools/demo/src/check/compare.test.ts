import { describe, expect, it } from "vitest";
import { compare, stepAt, used } from "./compare.js";

describe("stepAt", () => {
  it.each([
    [1, "bfloat16", 2 ** -7],
    [0.9999999, "bfloat16", 2 ** -8],
    [-3, "float16", 2 ** -9],
    [0, "float16", 2 ** -24],
    [2 ** -20, "float16", 2 ** -24],
    [2 ** -1000, "bfloat16", 2 ** -133],
    [1.5, "float32", 2 ** -23],
  ] as const)("of %d in %s", (value, dtype, step) => expect(stepAt(value, dtype)).toBe(step));
});

describe("compare", () => {
  it("finds the element that used most of its tolerance, not the largest error", () => {
    const worst = compare([1000.001, 0.00002], [1000, 0], "float32", { relative: 1e-5, absolute: 1e-5 });
    expect(worst.error).toBeCloseTo(2e-5, 10);
    expect(worst.allowed).toBeCloseTo(1e-5, 10);
    expect(used(worst)).toBeCloseTo(2, 5);
  });

  it("measures half types in steps of the exact value", () => {
    expect(compare([1 + 2 ** -8], [1], "bfloat16", { steps: 1 })).toEqual({ error: 0.5, allowed: 1, inSteps: true });
  });

  it("adds the margin of each element", () => {
    const worst = compare([1.5, 2.5], [1, 2], "float32", { absolute: 0.25, margins: [1, 0.5] });
    expect(worst).toEqual({ error: 0.5, allowed: 0.75, inSteps: false });
  });

  it("is at infinity for what is not a number, wherever it stands", () => {
    expect(compare([1, Number.NaN, 1], [1, 1, 1], "float32", { absolute: 1 }).error).toBe(Number.POSITIVE_INFINITY);
  });

  it("refuses results of another length", () => {
    expect(() => compare([1], [1, 2], "float32", { absolute: 1 })).toThrowError("expected 2 values, received 1");
  });
});
