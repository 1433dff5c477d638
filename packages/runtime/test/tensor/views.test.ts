import { describe, expect, it } from "vitest";
import { device, type Tensor, tensor, zeros } from "../../src/index.js";

const values = (made: Tensor): number[] => Array.from(made.dataSync());
const counting = (...shape: number[]): Tensor =>
  tensor(
    Float32Array.from({ length: shape.reduce((size, extent) => size * extent, 1) }, (_, index) => index),
    shape,
  );

describe("views by example", () => {
  it("R21: the transpose of [[1,2],[3,4],[5,6]] has strides 1, 2", () => {
    const view = tensor([
      [1, 2],
      [3, 4],
      [5, 6],
    ]).transpose();
    expect(view.shape).toEqual([2, 3]);
    expect(view.strides).toEqual([1, 2]);
    expect(values(view)).toEqual([1, 3, 5, 2, 4, 6]);
  });

  it("R21: query, key and value are slices of one packed row, with its row stride", () => {
    const packed = counting(4, 12);
    const [query, key, value] = [0, 4, 8].map((column) => packed.slice([0, column], [-1, 4]));
    expect(query?.strides).toEqual([12, 1]);
    expect(value?.offset).toBe(8);
    expect(values(key as Tensor)).toEqual([4, 5, 6, 7, 16, 17, 18, 19, 28, 29, 30, 31, 40, 41, 42, 43]);
  });

  it("R20: one number expands to any shape with strides 0", () => {
    const view = tensor(1).expand([3, 4]);
    expect(view.strides).toEqual([0, 0]);
    expect(values(view)).toEqual(Array(12).fill(1));
    expect(view.reshape([2, 6]).strides).toEqual([0, 0]);
  });

  // A CPU's zeros take no memory until they are touched; a GPU's buffer of 4 GB is there as a whole.
  it.runIf(device().name === "cpu")("R22: a row stride past 2^31 elements reads the right element (CPU only)", () => {
    const rows = 2 ** 31 + 64;
    const backing = zeros([2 ** 31 + 128], "bfloat16");
    backing.slice([rows + 5], [1]).write([8]);
    const view = backing.asStrided([2, 64], [rows, 1]);
    const read = values(view);
    expect(read.indexOf(8)).toBe(69);
    expect(read.filter((value) => value !== 0)).toEqual([8]);
    expect(values(view.slice([1, 4], [1, 3]))).toEqual([0, 8, 0]);
    for (const each of [view, backing]) each.dispose();
  });

  it("-1 in reshape is worked out, where the rest divides the size", () => {
    const made = counting(2, 3, 4);
    expect(made.reshape([-1]).shape).toEqual([24]);
    expect(made.reshape([4, -1]).shape).toEqual([4, 6]);
    expect(made.reshape([-1, 1, 24]).shape).toEqual([1, 1, 24]);
    expect(zeros([0, 3]).reshape([-1, 3]).shape).toEqual([0, 3]);
  });

  it("reshape merges and splits dimensions of a view in place, and copies what cannot be", () => {
    const made = counting(2, 3, 4);
    expect(made.slice([0], [1]).reshape([12]).storage).toBe(made.storage);
    expect(made.slice([0, 0, 1], [2, 3, 2]).reshape([6, 2]).strides).toEqual([4, 1]);
    const copied = made.transpose([0, 2, 1]).reshape([24]);
    expect(copied.storage).not.toBe(made.storage);
    expect(values(copied)).toEqual([
      0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23,
    ]);
  });

  it("a view of a view starts where the view does", () => {
    const made = counting(10);
    const inner = made.slice([2]).slice([3], [4]);
    expect(inner.offset).toBe(5);
    expect(values(inner)).toEqual([5, 6, 7, 8]);
    expect(values(inner.asStrided([2], [2], 1))).toEqual([6, 8]);
    expect(inner.byteOffset).toBe(20);
  });

  it("a tensor's own shape and strides make the same tensor, however large their product", () => {
    const large = zeros([1, 1, 1, 1, 1]).expand([4, 8, 64, 2048, 128]);
    expect(large.size).toBe(4 * 8 * 64 * 2048 * 128);
    const strided = tensor(1).asStrided([1, 1, 1, 1], [2 ** 30, 2 ** 28, 2 ** 20, 1]);
    expect(strided.strides).toEqual([2 ** 30, 2 ** 28, 2 ** 20, 1]);
    expect(values(strided)).toEqual([1]);
  });

  it("a slice may be empty, also at the end", () => {
    const made = counting(4, 3);
    expect(made.slice([4]).shape).toEqual([0, 3]);
    expect(made.slice([1, 3], [2, 0]).shape).toEqual([2, 0]);
    expect(values(made.slice([4]))).toEqual([]);
  });

  it("all share the storage: a write shows in each", () => {
    const made = counting(2, 3);
    const views = [
      made.transpose(),
      made.slice([1]),
      made.reshape([6]),
      made.expand([2, 2, 3]),
      made.asStrided([3], [2]),
      made.handle(),
      made.contiguous(),
    ];
    made.write([9, 8, 7, 6, 5, 4]);
    expect(views.map(values)).toEqual([
      [9, 6, 8, 5, 7, 4],
      [6, 5, 4],
      [9, 8, 7, 6, 5, 4],
      [9, 8, 7, 6, 5, 4, 9, 8, 7, 6, 5, 4],
      [9, 7, 5],
      [9, 8, 7, 6, 5, 4],
      [9, 8, 7, 6, 5, 4],
    ]);
    expect(new Set([...views.map((view) => view.storage), made.storage]).size).toBe(1);
  });

  it("clone() shares nothing", () => {
    const made = counting(3);
    const clone = made.clone();
    made.write([9, 9, 9]);
    expect(values(clone)).toEqual([0, 1, 2]);
    expect(clone.storage).not.toBe(made.storage);
  });
});
