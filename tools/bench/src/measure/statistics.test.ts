import { describe, expect, it } from "vitest";
import { quantile, summarize } from "./statistics.js";

describe("quantile", () => {
  it("gives the samples themselves at their positions and interpolates between them", () => {
    const sorted = [10, 20, 40];
    expect(quantile(sorted, 0)).toBe(10);
    expect(quantile(sorted, 0.5)).toBe(20);
    expect(quantile(sorted, 0.75)).toBe(30);
    expect(quantile(sorted, 1)).toBe(40);
  });

  it("is the one sample at every fraction", () => {
    for (const fraction of [0, 0.3, 1]) expect(quantile([7], fraction)).toBe(7);
  });

  it("refuses to make up a number without samples", () => {
    expect(() => quantile([], 0.5)).toThrowError(RangeError);
  });
});

describe("summarize", () => {
  it("takes samples in any order and leaves them as they were", () => {
    const samples = [5, 1, 4, 2, 3];
    expect(summarize(samples)).toEqual({ samples: 5, median: 3, lower: 2, upper: 4, least: 1 });
    expect(samples).toEqual([5, 1, 4, 2, 3]);
  });

  it("sorts by number and not by text", () => {
    expect(summarize([100, 9, 20]).median).toBe(20);
  });

  it("halves the distance for an even number of samples", () => {
    expect(summarize([1, 2, 3, 10]).median).toBe(2.5);
  });
});
