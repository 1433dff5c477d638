import { describe, expect, it } from "vitest";
import { fromBfloatBits, fromHalfBits, toBfloatBits, toHalfBits } from "../dtype/half.js";
import { Random } from "./random.js";
import { bitsOf, round, rounded, stepAt, stepsBetween } from "./rounding.js";

const types = ["float32", "float16", "bfloat16"] as const;

describe("round", () => {
  it("ties go to even, in every type", () => {
    expect(round(1 + 2 ** -8, "bfloat16")).toBe(1);
    expect(round(1 + 3 * 2 ** -8, "bfloat16")).toBe(1 + 2 ** -6);
    expect(round(1 + 2 ** -11, "float16")).toBe(1);
    expect(round(1 + 3 * 2 ** -11, "float16")).toBe(1 + 2 ** -9);
    expect(round(1 + 2 ** -24, "float32")).toBe(1);
  });

  it("rounds once: a value that float32 would move onto a tie first", () => {
    const value = 1 + 2 ** -8 + 2 ** -30;
    expect(round(Math.fround(value), "bfloat16")).toBe(1);
    expect(round(value, "bfloat16")).toBe(1 + 2 ** -7);
  });

  it("agrees with the conversions that tensors use, over all magnitudes", () => {
    const random = new Random(5);
    const values = [0, -0, 65_519.99, 65_520, 2 ** -25, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let count = 0; count < 20_000; count += 1) {
      // Few bits make ties; the exponents reach past both ends of the types.
      const mantissa = 1 + random.integer(2 ** 13) / 2 ** 13 + (count % 2) * random.next() * 2 ** -13;
      values.push((count % 3 === 0 ? -1 : 1) * mantissa * 2 ** (random.integer(300) - 150));
    }
    const wrong = (dtype: "float16" | "bfloat16", toBits: typeof toHalfBits, fromBits: typeof fromHalfBits) =>
      values.filter((value) => {
        const bits = toBits(value);
        return bitsOf(value, dtype) !== bits || !Object.is(round(value, dtype), fromBits(bits));
      });
    expect(wrong("float16", toHalfBits, fromHalfBits)).toEqual([]);
    expect(wrong("bfloat16", toBfloatBits, fromBfloatBits)).toEqual([]);
  });

  it("what a type holds stays as it is", () => {
    for (const dtype of types) {
      const once = rounded(new Random(3).normal(1000, 100), dtype);
      expect(rounded(once, dtype)).toEqual(once);
    }
  });
});

describe("steps", () => {
  it("count values of the type, across binades and zero", () => {
    expect(stepsBetween(1, 1 + 2 ** -7, "bfloat16")).toBe(1);
    expect(stepsBetween(1, 1 - 2 ** -8, "bfloat16")).toBe(1);
    expect(stepsBetween(2 ** -24, -(2 ** -24), "float16")).toBe(2);
    expect(stepsBetween(0, -0, "float16")).toBe(0);
    expect(stepsBetween(65_504, Number.POSITIVE_INFINITY, "float16")).toBe(1);
    expect(stepsBetween(1, 1 + 2 ** -23, "float32")).toBe(1);
  });

  it("NaN is apart from everything but NaN", () => {
    expect(stepsBetween(Number.NaN, Number.NaN, "float16")).toBe(0);
    expect(stepsBetween(Number.NaN, 1, "float16")).toBe(Number.POSITIVE_INFINITY);
  });

  it("stepAt is the distance to the next value away from zero", () => {
    for (const dtype of types)
      for (const value of [...rounded(new Random(4).normal(500, 3), dtype), 1, 2, 0.125, 0]) {
        const next = Math.abs(value) + stepAt(value, dtype);
        expect(round(next, dtype)).toBe(next);
        expect(stepsBetween(Math.abs(value), next, dtype)).toBe(1);
      }
  });

  it("bits are those of the type", () => {
    expect([bitsOf(1, "float32"), bitsOf(1, "float16"), bitsOf(-1, "bfloat16")]).toEqual([0x3f800000, 0x3c00, 0xbf80]);
  });
});
