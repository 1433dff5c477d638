import type { BufferArgument } from "../kernel/types.js";
import { isContiguous, mergeDimensions, sizeOf } from "../tensor/geometry.js";
import type { Tensor } from "../tensor/tensor.js";

/** A tensor seen as rows: what row kernels read. */
export interface Rows extends BufferArgument {
  readonly tensor: Tensor;
  readonly rows: number;
  readonly columns: number;
  /** Elements from one row to the next; 0 when all rows are one. */
  readonly stride: number;
}

function rowsOver(tensor: Tensor, rows: number, columns: number, stride: number): Rows {
  const { storage, byteOffset, dtype } = tensor;
  return { tensor, storage, byteOffset, dtype, rows, columns, stride };
}

/**
 * Sees a tensor as rows of its last `trailing` dimensions, in place where one stride between rows can express it: packed
 * QKV, gate-up halves, column slices, and cotangents expanded along the rows. What cannot be read so is copied once: a
 * tensor that repeats one element everywhere becomes one row, anything else a contiguous tensor.
 *
 * Copies made here are tensors like any other: an operation's own scope disposes of them.
 *
 * @param tensor - any strides
 * @param trailing - how many of the last dimensions make a row
 */
export function asRows(tensor: Tensor, trailing = 1): Rows {
  const split = Math.max(0, tensor.rank - trailing);
  const columns = sizeOf(tensor.shape.slice(split));
  const rows = sizeOf(tensor.shape.slice(0, split));
  const leading = mergeDimensions(tensor.shape.slice(0, split), tensor.strides.slice(0, split));
  const row = { shape: tensor.shape.slice(split), strides: tensor.strides.slice(split), offset: 0 };
  const oneStride = leading.shape.length <= 1;
  if (oneStride && isContiguous(row)) return rowsOver(tensor, rows, columns, leading.strides[0] ?? columns);
  if (oneStride && (leading.strides[0] ?? 0) === 0 && rows > 0) {
    const single = tensor.asStrided(row.shape, row.strides).clone();
    return rowsOver(single, rows, columns, 0);
  }
  return rowsOver(tensor.clone(), rows, columns, columns);
}
