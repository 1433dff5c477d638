import { describe, expect, it } from "vitest";
import { combinations, subsets } from "./combinations.js";
import { differentiate } from "./differentiate.js";
import { Random } from "./random.js";

describe("Random", () => {
  it("gives the same numbers for the same seed, on any machine", () => {
    expect(new Random(7).normal(3)).toEqual(new Random(7).normal(3));
    expect(new Random(7).normal(3)).not.toEqual(new Random(8).normal(3));
    const random = new Random(1);
    expect([random.integer(1000), random.integer(1000), random.integer(1000)]).toMatchInlineSnapshot(`
      [
        692,
        234,
        451,
      ]
    `);
  });

  it("has the moments of its distributions", () => {
    const moments = (values: Float64Array) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
    };
    const normal = moments(new Random(2).normal(100_000, 2, 5));
    expect(normal.mean).toBeCloseTo(5, 1);
    expect(normal.variance).toBeCloseTo(4, 1);
    const uniform = new Random(3).uniform(100_000, -1, 3);
    expect(moments(uniform).mean).toBeCloseTo(1, 1);
    expect(moments(uniform).variance).toBeCloseTo(16 / 12, 1);
    expect(uniform.every((value) => value >= -1 && value < 3)).toBe(true);
  });
});

describe("differentiate", () => {
  it("finds derivatives to 10 digits, where they are large and where they are small", () => {
    const x = Float64Array.of(0.3, -1.7, 40);
    const { x: gradient } = differentiate(
      ({ x: at }) => ({ y: at.map(Math.sin) }),
      { x },
      { y: Float64Array.of(1, 2, -3) },
    );
    const exact = [Math.cos(0.3), 2 * Math.cos(1.7), -3 * Math.cos(40)];
    gradient.forEach((value, index) => {
      expect(Math.abs(value - (exact[index] as number))).toBeLessThan(1e-10);
    });
  });

  it("follows a narrow curve with a small step", () => {
    const narrow = ({ x }: { x: Float64Array }) => ({ y: x.map((value) => value / Math.sqrt(value * value + 1e-6)) });
    const { x } = differentiate(narrow, { x: Float64Array.of(0) }, { y: Float64Array.of(1) });
    expect(Math.abs((x[0] as number) - 1000)).toBeLessThan(1e-5);
  });

  it("sums over outputs, of which one without cotangent counts for nothing", () => {
    const both = ({ x }: { x: Float64Array }) => ({
      square: x.map((value) => value * value),
      triple: x.map((value) => 3 * value),
    });
    const at = { x: Float64Array.of(2) };
    const one = Float64Array.of(1);
    expect(differentiate(both, at, { square: one, triple: one }).x[0]).toBeCloseTo(7, 9);
    expect(differentiate(both, at, { square: undefined, triple: one }).x[0]).toBeCloseTo(3, 9);
    expect(() => differentiate(both, at, { other: one })).toThrow(RangeError);
  });
});

describe("tables", () => {
  it("combinations and subsets", () => {
    expect(combinations({ rows: [1, 2], dtype: ["a", "b"] })).toEqual([
      { rows: 1, dtype: "a" },
      { rows: 1, dtype: "b" },
      { rows: 2, dtype: "a" },
      { rows: 2, dtype: "b" },
    ]);
    expect(subsets(["a", "b"])).toEqual([[], ["a"], ["b"], ["a", "b"]]);
  });
});
