import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Dtype, type Tensor, tensor } from "../../src/index.js";
import { drawFrom, shapes, step } from "../support/chains.js";
import { inUse } from "../support/memory.js";
import { contiguous, counting, read, type Strided } from "../support/strided.js";

const numbers = fc.array(fc.nat(5039), { minLength: 8, maxLength: 64 });
const runs = { numRuns: 300 };

/** A tensor of 0, 1, 2, … with its model. */
function start(shape: readonly number[], dtype: Dtype = "float32"): { made: Tensor; model: Strided } {
  const model = counting(shape);
  return { made: tensor(Float64Array.from(model.elements), shape, dtype), model };
}

/** What a tensor says of itself agrees with its strides and with the model. */
function agrees(made: Tensor, model: Strided): void {
  expect(made.shape).toEqual(model.shape);
  expect(made.size).toBe(read(model).length);
  expect(made.rank).toBe(model.shape.length);
  expect(made.strides.length).toBe(model.shape.length);
  expect(Array.from(made.dataSync())).toEqual(read(model));
}

describe("views against a model of strided arrays", () => {
  it("chains of transpose, slice, expand and reshape read the model's elements, on ranks 0 to 8", () => {
    fc.assert(
      fc.property(shapes, numbers, fc.integer({ min: 1, max: 6 }), (shape, drawn, length) => {
        const before = inUse();
        const draw = drawFrom(drawn);
        let { made, model } = start(shape);
        for (let position = 0; position < length; position += 1) {
          const { onTensor, onModel } = step(made.shape, draw);
          const next = onTensor(made);
          made.dispose(); // a view keeps the storage by itself
          made = next;
          model = onModel(model);
          agrees(made, model);
        }
        made.dispose();
        expect(inUse()).toEqual(before);
      }),
      runs,
    );
  });

  it.each(["bfloat16", "float16", "int32", "uint32", "bool"] as const)(
    "chains read the same elements in %s",
    (dtype) => {
      fc.assert(
        fc.property(shapes, numbers, (shape, drawn) => {
          const draw = drawFrom(drawn);
          const model = counting(shape);
          // bool holds 0 and 1; the half types hold every whole number up to 256.
          const elements = model.elements.map((value) => (dtype === "bool" ? value % 2 : value % 256));
          let made: Tensor = tensor(Float64Array.from(elements), shape, dtype);
          let wanted = contiguous(elements, shape);
          for (let position = 0; position < 3; position += 1) {
            const { onTensor, onModel } = step(made.shape, draw);
            const next = onTensor(made);
            made.dispose();
            made = next;
            wanted = onModel(wanted);
          }
          agrees(made, wanted);
          made.dispose();
        }),
        { numRuns: 60 },
      );
    },
  );

  it("contiguous() and clone() of any view hold its elements one after the other", () => {
    fc.assert(
      fc.property(shapes, numbers, (shape, drawn) => {
        const draw = drawFrom(drawn);
        const { made, model } = start(shape);
        const { onTensor, onModel } = step(shape, draw);
        const view = onTensor(made);
        for (const copy of [view.contiguous(), view.clone()]) {
          expect(copy.isContiguous).toBe(true);
          agrees(copy, onModel(model));
          copy.dispose();
        }
        view.dispose();
        made.dispose();
      }),
      runs,
    );
  });

  it("asStrided reads offset + sum of index times stride", () => {
    fc.assert(
      fc.property(shapes, fc.array(fc.nat(6), { minLength: 8, maxLength: 8 }), fc.nat(20), (shape, drawn, offset) => {
        const strides = shape.map((_, axis) => drawn[axis] as number);
        const last = shape.includes(0)
          ? 0
          : shape.reduce((sum, extent, axis) => sum + (extent - 1) * (strides[axis] as number), offset);
        const { made, model } = start([Math.max(last, offset) + 1]);
        const view = made.asStrided(shape, strides, offset);
        expect(view.strides).toEqual(strides);
        agrees(view, { elements: model.elements, shape, strides, offset });
        view.dispose();
        made.dispose();
      }),
      runs,
    );
  });

  it("asStrided refuses exactly the geometries that reach past the storage", () => {
    fc.assert(
      fc.property(
        shapes,
        fc.array(fc.nat(6), { minLength: 8, maxLength: 8 }),
        fc.nat(20),
        fc.nat(60),
        (shape, drawn, offset, size) => {
          const strides = shape.map((_, axis) => drawn[axis] as number);
          const last = shape.reduce((sum, extent, axis) => sum + (extent - 1) * (strides[axis] as number), offset);
          const fits = shape.includes(0) ? offset <= size : last < size;
          const { made } = start([size]);
          if (fits) made.asStrided(shape, strides, offset).dispose();
          else expect(() => made.asStrided(shape, strides, offset)).toThrow(RangeError);
          made.dispose();
        },
      ),
      runs,
    );
  });

  it("isContiguous says whether elements lie in row-major order without gaps", () => {
    fc.assert(
      fc.property(shapes, numbers, (shape, drawn) => {
        const draw = drawFrom(drawn);
        const { made } = start(shape);
        const view = step(shape, draw).onTensor(made);
        const places = read({
          elements: Array.from({ length: 5000 }, (_, at) => at),
          shape: view.shape,
          strides: view.strides,
          offset: view.offset,
        });
        const inOrder = places.every((place, index) => place === (places[0] as number) + index);
        expect(view.isContiguous).toBe(inOrder);
        view.dispose();
        made.dispose();
      }),
      runs,
    );
  });

  it("a reshape that strides can express shares the storage; any other copies", () => {
    fc.assert(
      fc.property(shapes, numbers, (shape, drawn) => {
        const draw = drawFrom(drawn);
        const { made } = start(shape);
        const view = step(shape, draw).onTensor(made);
        const flat = view.reshape([view.size]);
        const places = read({
          elements: Array.from({ length: 5000 }, (_, at) => at),
          shape: view.shape,
          strides: view.strides,
          offset: view.offset,
        });
        const gap = view.size > 1 ? (places[1] as number) - (places[0] as number) : 0;
        const even = places.every((place, index) => place === (places[0] as number) + index * gap);
        if (view.size > 0) expect(flat.storage === view.storage).toBe(even && gap >= 0);
        for (const each of [flat, view, made]) each.dispose();
      }),
      runs,
    );
  });
});
