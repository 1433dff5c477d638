import type { Device } from "../device/device.js";
import { device as defaultDevice } from "../device/select.js";
import type { FloatingDtype } from "../dtype/dtype.js";
import { tensor } from "../tensor/create.js";
import { contiguousStrides, sizeOf } from "../tensor/geometry.js";
import type { Tensor } from "../tensor/tensor.js";
import { bitsOf, rounded } from "./rounding.js";

/** A tensor, and what it holds as doubles in row-major order. */
export interface Placed {
  readonly tensor: Tensor<FloatingDtype>;
  readonly values: Float64Array;
}

/** Makes a tensor of given values, rounded to the type, that lies in memory in a certain way. */
export type Layout = (values: Float64Array, shape: readonly number[], dtype: FloatingDtype, device?: Device) => Placed;

/** Gaps between elements hold NaN, so that a kernel which reads one shows it. */
const gap = Number.NaN;

/** A contiguous tensor of values that its type holds. */
function upload(
  values: Float64Array,
  shape: readonly number[],
  dtype: FloatingDtype,
  device: Device,
): Tensor<FloatingDtype> {
  if (dtype === "float32") return tensor(values, shape, dtype, device);
  const bits = new Uint16Array(values.length);
  for (let index = 0; index < bits.length; index += 1) bits[index] = bitsOf(values[index] as number, dtype);
  return tensor(bits, shape, dtype, device);
}

/** A tensor whose element at each index of `shape` lies where the strides say, in storage of `size` elements. */
function scattered(
  values: Float64Array,
  geometry: { shape: readonly number[]; strides: readonly number[]; offset: number },
  size: number,
  dtype: FloatingDtype,
  device: Device,
): Placed {
  const { shape, strides, offset } = geometry;
  const held = rounded(values, dtype);
  const storage = new Float64Array(size).fill(gap);
  const index = new Array<number>(shape.length).fill(0);
  for (let position = 0; position < held.length; position += 1) {
    let at = offset;
    for (let axis = 0; axis < shape.length; axis += 1) at += (index[axis] as number) * (strides[axis] as number);
    storage[at] = held[position] as number;
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      index[axis] = (index[axis] as number) + 1;
      if ((index[axis] as number) < (shape[axis] as number)) break;
      index[axis] = 0;
    }
  }
  const whole = upload(storage, [size], dtype, device);
  const view = whole.asStrided(shape, strides, offset);
  whole.dispose();
  return { tensor: view, values: held };
}

/** Strides of a shape as a part of a wider one. */
function widened(shape: readonly number[], wider: readonly number[]): number[] {
  return contiguousStrides(shape.map((extent, axis) => extent + (wider[axis] ?? 0)));
}

function inner(
  values: Float64Array,
  shape: readonly number[],
  dtype: FloatingDtype,
  device: Device,
  wider: number[],
  offset: number,
): Placed {
  const strides = widened(shape, wider);
  return scattered(
    values,
    { shape, strides, offset },
    offset + sizeOf(shape.map((extent, axis) => extent + (wider[axis] as number))),
    dtype,
    device,
  );
}

/** One element after the other. */
export const contiguous: Layout = (values, shape, dtype, device = defaultDevice()) => {
  const held = rounded(values, dtype);
  return { tensor: upload(held, shape, dtype, device), values: held };
};

/** First dimension fastest, as the transpose of a contiguous tensor; a vector lies as a column of a matrix of three. */
export const transposed: Layout = (values, shape, dtype, device = defaultDevice()) => {
  if (shape.length === 1)
    return scattered(values, { shape, strides: [3], offset: 1 }, 3 * sizeOf(shape) + 1, dtype, device);
  const strides = contiguousStrides([...shape].reverse()).reverse();
  return scattered(values, { shape, strides, offset: 0 }, sizeOf(shape), dtype, device);
};

/** Rows that are a part of wider rows: packed QKV, gate and up halves, column slices. */
export const rowStrided: Layout = (values, shape, dtype, device = defaultDevice()) =>
  inner(
    values,
    shape,
    dtype,
    device,
    shape.map((_, axis) => (axis === shape.length - 1 ? 13 : 0)),
    5,
  );

/** Every second element of a row, which a kernel of contiguous rows cannot read in place. */
export const columnStrided: Layout = (values, shape, dtype, device = defaultDevice()) => {
  const strides = contiguousStrides(shape).map((stride) => 2 * stride);
  return scattered(values, { shape, strides, offset: 0 }, 2 * sizeOf(shape), dtype, device);
};

/** A part along the second last dimension: with three dimensions or more, no one stride goes from row to row. */
export const blocked: Layout = (values, shape, dtype, device = defaultDevice()) =>
  inner(
    values,
    shape,
    dtype,
    device,
    shape.map((_, axis) => (axis === shape.length - 2 ? 2 : 0)),
    shape[shape.length - 1] ?? 0,
  );

/** Contiguous, but one element past where the storage begins: aligned to its own size alone. */
export const unaligned: Layout = (values, shape, dtype, device = defaultDevice()) =>
  scattered(values, { shape, strides: contiguousStrides(shape), offset: 1 }, sizeOf(shape) + 1, dtype, device);

/** The first row, seen as all rows through strides of 0: what broadcasting a vector leaves. */
export const repeatedRows: Layout = (values, shape, dtype, device = defaultDevice()) => {
  const columns = shape[shape.length - 1] ?? 1;
  const row = rounded(values.subarray(0, columns), dtype);
  const one = upload(row, [columns], dtype, device);
  const view = one.expand(shape);
  one.dispose();
  return {
    tensor: view,
    values: Float64Array.from({ length: sizeOf(shape) }, (_, index) => row[index % columns] as number),
  };
};

/** The first value, seen everywhere through strides of 0: the cotangent that summing leaves. */
export const repeatedScalar: Layout = (values, shape, dtype, device = defaultDevice()) => {
  const first = rounded(values.subarray(0, 1), dtype);
  const one = upload(first, [1], dtype, device);
  const view = one.expand(shape);
  one.dispose();
  return { tensor: view, values: new Float64Array(sizeOf(shape)).fill(first[0] ?? 0) };
};

/** Every layout by its name. The repeated ones hold the first row or value again and again; see {@link Placed.values}. */
export const layouts = {
  contiguous,
  transposed,
  rowStrided,
  columnStrided,
  blocked,
  unaligned,
  repeatedRows,
  repeatedScalar,
} as const satisfies Readonly<Record<string, Layout>>;
