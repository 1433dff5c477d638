import { copyTensor } from "../copy/copy.js";
import { type Dtype, dtypeInfo } from "../dtype/dtype.js";
import { ArgumentError, describePlain, ShapeError } from "../errors/index.js";
import {
  checkShape,
  contiguousStrides,
  describeShape,
  endOf,
  type Geometry,
  reshapedStrides,
  sizeOf,
} from "./geometry.js";
import { Tensor } from "./tensor.js";

/** A tensor of the same storage with another geometry. */
export function view<D extends Dtype>(source: Tensor<D>, { shape, strides, offset }: Geometry): Tensor<D> {
  return new Tensor(source.storage.retain(), source.dtype, { shape, strides, offset });
}

function checkList(operation: string, argument: string, value: unknown): void {
  if (!Array.isArray(value))
    throw new ArgumentError({ operation, argument, expected: "a list of numbers", received: describePlain(value) });
}

/** The shape with its -1, if any, worked out. */
function completeShape(shape: readonly number[], size: number): number[] {
  const open = shape.indexOf(-1);
  if (open < 0) return [...shape];
  const known = shape.reduce((product, extent, axis) => (axis === open ? product : product * extent), 1);
  const complete = [...shape];
  complete[open] = known > 0 ? size / known : 0;
  return complete;
}

export function reshape<D extends Dtype>(source: Tensor<D>, wanted: readonly number[]): Tensor<D> {
  if (!Array.isArray(wanted)) checkShape("Tensor.reshape", wanted);
  const shape = completeShape(wanted, source.size);
  if (!shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0) || sizeOf(shape) !== source.size)
    throw new ShapeError({
      operation: "Tensor.reshape",
      argument: "shape",
      expected: `a shape of ${source.size} elements, as ${describeShape(source.shape)} has`,
      received: describeShape(wanted),
    });
  const strides = reshapedStrides(source, shape);
  if (strides !== undefined) return view(source, { shape, strides, offset: source.offset });
  const copy = copyTensor(source, source.dtype);
  const reshaped = view(copy, { shape, strides: contiguousStrides(shape), offset: 0 });
  copy.dispose();
  return reshaped;
}

export function transpose<D extends Dtype>(source: Tensor<D>, wanted?: readonly number[]): Tensor<D> {
  if (wanted !== undefined) checkList("Tensor.transpose", "order", wanted);
  const order = wanted ?? source.shape.map((_, axis) => source.rank - 1 - axis);
  const sorted = [...order].sort((left, right) => left - right);
  if (sorted.length !== source.rank || sorted.some((axis, index) => axis !== index))
    throw new ShapeError({
      operation: "Tensor.transpose",
      argument: "order",
      expected: `each of the dimensions 0 to ${source.rank - 1} once`,
      received: describeShape(wanted),
    });
  return view(source, {
    shape: order.map((axis) => source.shape[axis] as number),
    strides: order.map((axis) => source.strides[axis] as number),
    offset: source.offset,
  });
}

export function slice<D extends Dtype>(
  source: Tensor<D>,
  begin: readonly number[],
  size: readonly number[] = [],
): Tensor<D> {
  checkList("Tensor.slice", "begin", begin);
  checkList("Tensor.slice", "size", size);
  const shape = [...source.shape];
  let offset = source.offset;
  if (begin.length > source.rank || size.length > begin.length)
    throw new ShapeError({
      operation: "Tensor.slice",
      argument: begin.length > source.rank ? "begin" : "size",
      expected: `at most ${Math.min(source.rank, begin.length)} numbers`,
      received: describeShape(begin.length > source.rank ? begin : size),
    });
  begin.forEach((start, axis) => {
    const extent = source.shape[axis] as number;
    const asked = size[axis] ?? -1;
    const length = asked === -1 ? extent - start : asked;
    const whole = Number.isSafeInteger(start) && Number.isSafeInteger(length);
    if (!whole || start < 0 || length < 0 || start + length > extent)
      throw new ShapeError({
        operation: "Tensor.slice",
        argument: `begin[${axis}], size[${axis}]`,
        expected: `a range within 0 to ${extent}`,
        received: `${start} and ${asked}`,
      });
    shape[axis] = length;
    offset += start * (source.strides[axis] as number);
  });
  // An empty view stays at the start: its offset could lie past the storage.
  return view(source, { shape, strides: source.strides, offset: shape.includes(0) ? source.offset : offset });
}

export function expand<D extends Dtype>(source: Tensor<D>, shape: readonly number[]): Tensor<D> {
  checkShape("Tensor.expand", shape);
  const added = shape.length - source.rank;
  const strides = shape.map((extent, axis) => {
    const own = source.shape[axis - added];
    if (own === undefined || (own === 1 && extent !== 1)) return 0;
    if (own === extent) return source.strides[axis - added] as number;
    return Number.NaN;
  });
  if (added < 0 || strides.some(Number.isNaN))
    throw new ShapeError({
      operation: "Tensor.expand",
      argument: "shape",
      expected: `a shape that ${describeShape(source.shape)} repeats to: equal extents, or 1, from the last dimension on`,
      received: describeShape(shape),
    });
  return view(source, { shape: [...shape], strides, offset: source.offset });
}

export function asStrided<D extends Dtype>(
  source: Tensor<D>,
  shape: readonly number[],
  strides: readonly number[],
  start: number,
): Tensor<D> {
  checkShape("Tensor.asStrided", shape);
  const whole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
  if (!Array.isArray(strides) || strides.length !== shape.length || !strides.every(whole))
    throw new ShapeError({
      operation: "Tensor.asStrided",
      argument: "strides",
      expected: `${shape.length} whole numbers >= 0`,
      received: describeShape(strides),
    });
  if (!whole(start))
    throw new ShapeError({
      operation: "Tensor.asStrided",
      argument: "offset",
      expected: "a whole number >= 0",
      received: String(start),
    });
  const geometry = { shape: [...shape], strides: [...strides], offset: source.offset + start };
  const capacity = Math.floor(source.storage.bytes / dtypeInfo(source.dtype).bytes);
  if (endOf(geometry) > capacity)
    throw new ShapeError({
      operation: "Tensor.asStrided",
      argument: "shape, strides, offset",
      expected: `elements below ${capacity}, the size of the storage`,
      received: `element ${endOf(geometry) - 1}`,
    });
  return view(source, geometry);
}
