import { describe, expect, it } from "vitest";
import { addParts, asParameter } from "../../src/family.js";
import { scope, type Tensor, tensor } from "../../src/index.js";
import { hashOfElements, withThreads } from "../../src/testing.js";

/** (count, sums, columns) of numbers whose float32 sum depends on the order. */
function parts(count: number, sums: number, columns: number): { made: Tensor<"float32">; values: Float32Array } {
  const values = Float32Array.from({ length: count * sums * columns }, (_, index) =>
    Math.fround(Math.sin(index) * 10 ** ((index * 7) % 5)),
  );
  return { made: tensor(values, [count, sums, columns]), values };
}

describe("addParts", () => {
  it("adds in ascending order, each sum by its index", () => {
    for (const [count, sums, columns] of [
      [1, 1, 1],
      [1, 1, 700],
      [5, 2, 3],
      [64, 1, 513],
      [33, 3, 1000],
    ] as const) {
      const { made, values } = parts(count, sums, columns);
      for (let index = 0; index < sums; index += 1) {
        const wanted = Float32Array.from({ length: columns }, (_, column) => {
          let sum = 0;
          for (let part = 0; part < count; part += 1) sum += values[(part * sums + index) * columns + column] as number;
          return sum;
        });
        const total = addParts(made, index, [columns], "float32").dataSync() as Float32Array;
        const scale = Math.max(...values.map(Math.abs)) * count;
        for (let column = 0; column < columns; column += 1)
          expect(Math.abs((total[column] as number) - (wanted[column] as number))).toBeLessThanOrEqual(
            scale * 2 ** -22,
          );
      }
    }
  });

  it("gives the same bits for any number of threads", () => {
    const { made } = parts(64, 1, 5000);
    const bits = [1, 2, 3].map((threads) =>
      withThreads(threads, () => hashOfElements(addParts(made, 0, [5000], "float32"))),
    );
    expect(new Set(bits).size).toBe(1);
  });

  it("R19: adds in float32 and rounds once: a thousand ones in bfloat16 are 1000, not 256", () => {
    const ones = tensor(new Float32Array(1000 * 4).fill(1), [1000, 1, 4]);
    for (const dtype of ["float32", "float16", "bfloat16"] as const) {
      const total = addParts(ones, 0, [2, 2], dtype);
      expect(total.dtype).toBe(dtype);
      expect(total.shape).toEqual([2, 2]);
      expect(Array.from(total.dataSync())).toEqual([1000, 1000, 1000, 1000]);
    }
  });

  it("passes NaN and infinities on", () => {
    const made = tensor(
      [1, Number.NaN, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 1, 1, 1, Number.NEGATIVE_INFINITY],
      [2, 1, 4],
    );
    expect(Array.from(addParts(made, 0, [4], "float32").dataSync())).toEqual([
      2,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NaN,
    ]);
  });
});

describe("asParameter", () => {
  it("is contiguous and of a type that kernels read, with the same values; what already is stays in place", () => {
    scope(() => {
      const turned = tensor(
        [
          [1, 2],
          [3, 4],
        ],
        null,
        "float16",
      ).transpose();
      for (const source of ["float32", "float16", "bfloat16"] as const) {
        const parameter = asParameter(turned, source);
        expect(parameter.isContiguous).toBe(true);
        expect(["float32", source]).toContain(parameter.dtype);
        expect(Array.from(parameter.dataSync())).toEqual([1, 3, 2, 4]);
      }
      const plain = tensor([1, 2]);
      expect(asParameter(plain, "bfloat16").storage).toBe(plain.storage);
      expect(asParameter(undefined, "float32")).toBeUndefined();
    });
  });
});
