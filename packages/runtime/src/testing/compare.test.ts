import { describe, expect, it } from "vitest";
import { ComparisonError, compare } from "./compare.js";

describe("float32", () => {
  it("allows 1e-5 of the value and 1e-6", () => {
    expect(compare([1.000005, 0], [1, 9e-7], "float32").error).toBeCloseTo(9e-7, 12);
    expect(() => compare([1.00002], [1], "float32")).toThrow(ComparisonError);
    expect(() => compare([2e-6], [0], "float32")).toThrow(ComparisonError);
  });

  it("NaN and infinities must meet their like", () => {
    const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
    expect(compare([nan, infinity, -infinity], [nan, infinity, -infinity], "float32").error).toBe(0);
    for (const [actual, exact] of [
      [nan, 1],
      [1, nan],
      [infinity, 1],
      [1, infinity],
      [infinity, -infinity],
    ] as const)
      expect(() => compare([actual], [exact], "float32")).toThrow(ComparisonError);
  });

  it("says where, what came, what was wanted, and the bound", () => {
    expect(() => compare([1, 2.5, 3.25], [1, 2, 3], "float32")).toThrowErrorMatchingInlineSnapshot(
      `[ComparisonError: index 1: got 2.5, wanted 2, off by 0.5000 where 0.00002100 may be; 2 of 3 values are off]`,
    );
    expect(() => compare([1], [1, 2], "float32")).toThrowErrorMatchingInlineSnapshot(
      `[ComparisonError: 1 values where 2 were wanted]`,
    );
  });
});

describe("half types", () => {
  it("allow one step from the exact value rounded once", () => {
    const exact = 1 + 2 ** -9; // rounds to 1
    for (const actual of [1, 1 + 2 ** -7, 1 - 2 ** -8]) compare([actual], [exact], "bfloat16");
    for (const actual of [1 + 2 ** -6, 1 - 2 ** -7])
      expect(() => compare([actual], [exact], "bfloat16")).toThrow(ComparisonError);
  });

  it("allow what they are told to", () => {
    compare([1 + 2 ** -6], [1], "bfloat16", { steps: 2 });
    compare([1e-7], [0], "bfloat16", { steps: 1, absolute: 1e-6 });
    expect(() => compare([1e-7], [0], "bfloat16", { steps: 1 })).toThrow(ComparisonError);
    expect(() => compare([1 + 2 ** -7], [1], "bfloat16", { steps: 0 })).toThrow(ComparisonError);
  });

  it("a value past the largest is infinite", () => {
    compare([Number.POSITIVE_INFINITY], [70_000], "float16");
    expect(() => compare([60_000], [70_000], "float16")).toThrowErrorMatchingInlineSnapshot(
      `[ComparisonError: index 0: got 60000, wanted Infinity (exactly 70000), off by 1.000e+4 where 1 step of float16 may be; 1 of 1 values are off]`,
    );
  });
});
