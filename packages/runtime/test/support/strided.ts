/** A strided array in plain JavaScript: what tensors and their views are held against. */
export interface Strided {
  readonly elements: readonly number[];
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

const product = (shape: readonly number[]): number => shape.reduce((size, extent) => size * extent, 1);

/** A contiguous array of 0, 1, 2, … */
export function counting(shape: readonly number[]): Strided {
  return contiguous(
    Array.from({ length: product(shape) }, (_, index) => index),
    shape,
  );
}

/** Elements in row-major order under a shape. */
export function contiguous(elements: readonly number[], shape: readonly number[]): Strided {
  const strides = shape.map((_, axis) => product(shape.slice(axis + 1)));
  return { elements, shape, strides, offset: 0 };
}

/** The indices of a shape in row-major order. */
export function* indices(shape: readonly number[]): Generator<number[]> {
  const [first, ...rest] = shape;
  if (first === undefined) {
    yield [];
    return;
  }
  for (let index = 0; index < first; index += 1) for (const tail of indices(rest)) yield [index, ...tail];
}

/** The elements in row-major order. */
export function read({ elements, shape, strides, offset }: Strided): number[] {
  const result: number[] = [];
  for (const index of indices(shape)) {
    const at = index.reduce((sum, position, axis) => sum + position * (strides[axis] as number), offset);
    if (at < 0 || at >= elements.length) throw new Error(`the model reads element ${at} of ${elements.length}`);
    result.push(elements[at] as number);
  }
  return result;
}

/** Element by element, each view by its definition on indices; strides are left to the implementation under test. */
export const views = {
  reshape: (source: Strided, shape: readonly number[]): Strided => contiguous(read(source), shape),

  transpose(source: Strided, order: readonly number[]): Strided {
    const shape = order.map((axis) => source.shape[axis] as number);
    return gather(source, shape, (index) => {
      const own = new Array<number>(order.length);
      order.forEach((axis, position) => {
        own[axis] = index[position] as number;
      });
      return own;
    });
  },

  slice(source: Strided, begin: readonly number[], size: readonly number[]): Strided {
    const shape = source.shape.map((extent, axis) => (axis < size.length ? (size[axis] as number) : extent));
    return gather(source, shape, (index) => index.map((position, axis) => position + (begin[axis] ?? 0)));
  },

  expand(source: Strided, shape: readonly number[]): Strided {
    const added = shape.length - source.shape.length;
    return gather(source, shape, (index) =>
      index.slice(added).map((position, axis) => (source.shape[axis] === 1 ? 0 : position)),
    );
  },
};

function gather(source: Strided, shape: readonly number[], indexOf: (index: number[]) => number[]): Strided {
  const flat = read(source);
  const { strides } = contiguous(flat, source.shape);
  const elements: number[] = [];
  for (const index of indices(shape)) {
    const own = indexOf(index);
    elements.push(flat[own.reduce((sum, position, axis) => sum + position * (strides[axis] as number), 0)] as number);
  }
  return contiguous(elements, shape);
}
