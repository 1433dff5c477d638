import { describe, expect, it } from "vitest";
import { normals, randomFill, seededRandom } from "./fill.js";

describe("normals", () => {
  it("have mean 0 and variance 1, and are the same for a seed", () => {
    const values = normals(100_001, seededRandom(7));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(mean).toBeCloseTo(0, 1);
    expect(variance).toBeCloseTo(1, 1);
    expect(normals(4, seededRandom(7))).toEqual(values.subarray(0, 4));
    expect(normals(4, seededRandom(8))).not.toEqual(values.subarray(0, 4));
  });
});

describe("randomFill", () => {
  it("gives inputs that differ, also past the block that it draws", () => {
    const fill = randomFill(1);
    const large = fill("source", [3, 2 ** 19]);
    expect(large).toHaveLength(3 * 2 ** 19);
    expect(large.every(Number.isFinite)).toBe(true);
    expect(fill("residual", [3, 2 ** 19])).not.toEqual(large);
  });

  it("keeps parameters around 1", () => {
    const weight = randomFill(1)("weight", [4096]);
    expect(weight.reduce((sum, value) => sum + value, 0) / weight.length).toBeCloseTo(1, 1);
    expect(Math.max(...weight)).toBeLessThan(2);
  });
});
