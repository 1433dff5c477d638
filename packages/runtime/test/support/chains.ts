import fc from "fast-check";
import type { Tensor } from "../../src/index.js";
import { type Strided, views } from "./strided.js";

/** One view, as it is asked of a tensor and of the model. */
export interface Step {
  readonly name: string;
  readonly onTensor: (source: Tensor) => Tensor;
  readonly onModel: (source: Strided) => Strided;
}

const product = (shape: readonly number[]): number => shape.reduce((size, extent) => size * extent, 1);

/** Shapes of rank 0 to 8 with at most some hundred elements, extents of 0 and 1 often among them. */
export const shapes: fc.Arbitrary<number[]> = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constant(1), weight: 2 },
      { arbitrary: fc.integer({ min: 2, max: 5 }), weight: 4 },
      { arbitrary: fc.constant(0), weight: 1 },
    ),
    { maxLength: 8 },
  )
  .map((shape) =>
    shape.map((extent, axis) =>
      product(shape.slice(0, axis).map((each) => Math.max(each, 1))) > 60 ? Math.min(extent, 1) : extent,
    ),
  );

/** All ways to write a number of elements as a shape, one drawn: its prime factors are dealt out over the axes. */
function factored(size: number, draw: (limit: number) => number): number[] {
  const rank = draw(8) + 1;
  const shape = new Array<number>(rank).fill(1);
  if (size === 0) {
    for (let axis = 0; axis < rank; axis += 1) shape[axis] = draw(4);
    shape[draw(rank)] = 0;
    return shape;
  }
  let rest = size;
  for (let prime = 2; rest > 1; prime += 1)
    for (; rest % prime === 0; rest /= prime) {
      const axis = draw(rank);
      shape[axis] = (shape[axis] as number) * prime;
    }
  return shape;
}

/** One view that fits a shape, made of drawn numbers. */
export function step(shape: readonly number[], draw: (limit: number) => number): Step {
  const size = product(shape);
  switch (draw(5)) {
    case 0: {
      const order = shape.map((_, axis) => axis);
      for (let axis = order.length - 1; axis > 0; axis -= 1) {
        const other = draw(axis + 1);
        [order[axis], order[other]] = [order[other] as number, order[axis] as number];
      }
      return {
        name: `transpose [${order}]`,
        onTensor: (t) => t.transpose(order),
        onModel: (m) => views.transpose(m, order),
      };
    }
    case 1: {
      const named = draw(shape.length + 1);
      const begin = shape.slice(0, named).map((extent) => draw(extent + 1));
      const length = begin.map((start, axis) => draw((shape[axis] as number) - start + 1));
      const asked = length.map((each, axis) =>
        each === (shape[axis] as number) - (begin[axis] as number) && draw(2) === 0 ? -1 : each,
      );
      return {
        name: `slice [${begin}] [${asked}]`,
        onTensor: (t) => t.slice(begin, asked),
        onModel: (m) => views.slice(m, begin, length),
      };
    }
    case 2: {
      const room = size > 100 ? 1 : 3;
      const added = Array.from({ length: Math.min(draw(2), 8 - shape.length) }, () => draw(room) + 1);
      const wanted = [...added, ...shape.map((extent) => (extent === 1 ? draw(room) + 1 : extent))];
      return { name: `expand [${wanted}]`, onTensor: (t) => t.expand(wanted), onModel: (m) => views.expand(m, wanted) };
    }
    default: {
      const wanted = factored(size, draw);
      const open = draw(2 * wanted.length);
      const known = product(wanted.filter((_, axis) => axis !== open));
      const asked = open < wanted.length && known > 0 ? wanted.with(open, -1) : wanted;
      return {
        name: `reshape [${asked}]`,
        onTensor: (t) => t.reshape(asked),
        onModel: (m) => views.reshape(m, wanted),
      };
    }
  }
}

/** A source of small numbers from a list that fast-check can shrink. */
export function drawFrom(numbers: readonly number[]): (limit: number) => number {
  let at = 0;
  return (limit) => (limit <= 0 ? 0 : (numbers[at++ % Math.max(1, numbers.length)] ?? 0) % limit);
}
