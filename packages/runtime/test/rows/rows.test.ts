import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asRows, type Rows } from "../../src/family.js";
import { scope, type Tensor, tensor, zeros } from "../../src/index.js";
import { drawFrom, shapes, step } from "../support/chains.js";
import { balanced } from "../support/memory.js";
import { counting, read } from "../support/strided.js";

/** The elements that a row kernel would read. */
const elements = ({ tensor: source, rows, columns, stride }: Rows): number[] =>
  Array.from(source.asStrided([rows, columns], [stride, 1]).dataSync());

describe("asRows", () => {
  it("reads the elements of any view, for any number of trailing dimensions", () => {
    fc.assert(
      fc.property(
        shapes,
        fc.array(fc.nat(5039), { minLength: 8, maxLength: 40 }),
        fc.integer({ min: 0, max: 9 }),
        (shape, drawn, trailing) => {
          balanced(() =>
            scope(() => {
              const model = counting(shape);
              const { onTensor, onModel } = step(shape, drawFrom(drawn));
              const view = onTensor(tensor(Float64Array.from(model.elements), shape));
              const rows = asRows(view, trailing);
              const split = Math.max(0, view.rank - trailing);
              expect(rows.rows).toBe(view.shape.slice(0, split).reduce((size, extent) => size * extent, 1));
              expect(rows.columns).toBe(view.shape.slice(split).reduce((size, extent) => size * extent, 1));
              expect(elements(rows)).toEqual(read(onModel(model)));
            }),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  const inPlace: [name: string, view: () => Tensor, stride: number][] = [
    ["a contiguous tensor", () => zeros([2, 3, 4]), 4],
    ["a part of packed rows", () => zeros([5, 12]).slice([0, 4], [-1, 4]), 12],
    ["a half of gate and up", () => zeros([2, 3, 8]).slice([0, 0, 4]), 8],
    ["every second row", () => zeros([6, 4]).asStrided([3, 4], [8, 1]), 8],
    ["one row, repeated", () => zeros([4]).expand([7, 4]), 0],
    ["a single row of whatever stride", () => zeros([5, 12]).slice([2], [1]), 12],
  ];
  it.each(inPlace)("reads %s in place", (_, view, stride) => {
    scope(() => {
      const source = view();
      const rows = asRows(source);
      expect(rows.storage).toBe(source.storage);
      expect(rows.byteOffset).toBe(source.byteOffset);
      if (rows.rows > 1) expect(rows.stride).toBe(stride);
    });
  });

  it("copies a transpose once, and one repeated element as a single row", () => {
    scope(() => {
      const turned = zeros([4, 3]).transpose();
      expect(asRows(turned)).toMatchObject({ rows: 3, columns: 4, stride: 4 });
      expect(asRows(turned).storage).not.toBe(turned.storage);
      const one = tensor(2).expand([1000, 64]);
      const rows = asRows(one);
      expect(rows).toMatchObject({ rows: 1000, columns: 64, stride: 0 });
      expect(rows.storage.bytes).toBe(256);
    });
  });
});
