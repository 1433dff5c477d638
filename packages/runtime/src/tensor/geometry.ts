import { describePlain, ShapeError } from "../errors/index.js";

/** Shape, strides and offset, all in elements. */
export interface Geometry {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

/** The number of elements of a shape; 1 for a scalar. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (const extent of shape) size *= extent;
  return size;
}

/** The strides of a contiguous tensor, last dimension fastest. */
export function contiguousStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    strides[axis] = stride;
    stride *= shape[axis] as number;
  }
  return strides;
}

/** Whether elements lie one after the other; strides of dimensions of length 1 do not matter. */
export function isContiguous({ shape, strides }: Geometry): boolean {
  if (shape.includes(0)) return true;
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    const extent = shape[axis] as number;
    if (extent !== 1 && strides[axis] !== stride) return false;
    stride *= extent;
  }
  return true;
}

/** One past the last element that a geometry reaches; the offset itself when it has no elements. */
export function endOf({ shape, strides, offset }: Geometry): number {
  let last = offset;
  for (let axis = 0; axis < shape.length; axis += 1) {
    const extent = shape[axis] as number;
    if (extent === 0) return offset;
    last += (extent - 1) * (strides[axis] as number);
  }
  return last + 1;
}

/** Throws unless a shape is a list of whole numbers >= 0 whose product is a safe integer. */
export function checkShape(operation: string, shape: readonly number[], argument = "shape"): void {
  const wrong = !Array.isArray(shape) || !shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0);
  if (wrong || !Number.isSafeInteger(sizeOf(shape)))
    throw new ShapeError({
      operation,
      argument,
      expected: Array.isArray(shape)
        ? "whole numbers >= 0 with a product below 2^53"
        : "a list of whole numbers >= 0, such as [2, 3]",
      received: describeShape(shape),
    });
}

/** A shape as text: [2, 3]; what is not one, so that it can be told from one. */
export function describeShape(shape: unknown): string {
  if (Array.isArray(shape)) return `[${shape.map(describePlain).join(", ")}]`;
  return describePlain(shape);
}

/** The dimensions merged as far as their strides allow, dimensions of length 1 dropped: fewer, longer loops. */
export function mergeDimensions(
  shape: readonly number[],
  strides: readonly number[],
): { shape: number[]; strides: number[] } {
  const merged: { shape: number[]; strides: number[] } = { shape: [], strides: [] };
  for (let axis = 0; axis < shape.length; axis += 1) {
    const extent = shape[axis] as number;
    const stride = strides[axis] as number;
    if (extent === 1) continue;
    const last = merged.shape.length - 1;
    if (last >= 0 && merged.strides[last] === stride * extent) {
      merged.shape[last] = (merged.shape[last] as number) * extent;
      merged.strides[last] = stride;
    } else {
      merged.shape.push(extent);
      merged.strides.push(stride);
    }
  }
  return merged;
}

/**
 * The strides of the same elements under another shape, or undefined where no strides can express it and a copy is needed.
 */
export function reshapedStrides(geometry: Geometry, shape: readonly number[]): number[] | undefined {
  if (isContiguous(geometry)) return contiguousStrides(shape);
  const merged = mergeDimensions(geometry.shape, geometry.strides);
  const strides = new Array<number>(shape.length).fill(0);
  let axis = shape.length - 1;
  for (let from = merged.shape.length - 1; from >= 0; from -= 1) {
    let remaining = merged.shape[from] as number;
    let stride = merged.strides[from] as number;
    while (remaining > 1) {
      while (axis >= 0 && shape[axis] === 1) strides[axis--] = 0;
      const extent = shape[axis];
      if (extent === undefined || remaining % extent !== 0) return undefined;
      strides[axis--] = stride;
      stride *= extent;
      remaining /= extent;
    }
  }
  return strides;
}
