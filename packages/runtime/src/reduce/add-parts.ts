import { kernels } from "../../generated/index.js";
import type { Dtype } from "../dtype/dtype.js";
import { columnLaunch } from "../rows/launch.js";
import { allocate } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";

/**
 * Adds up partial sums in ascending order: the second stage of every parameter gradient. The order is fixed, so that the
 * bits are the same in every run and for any number of threads. A single float32 part is the sum: it is returned as a view.
 *
 * @param parts - (count, sums, columns) float32, contiguous: `count` partial sums of each of `sums` rows
 * @param index - which of the `sums` rows
 * @param shape - the shape of the sum, of `columns` elements
 * @param dtype - the type of the sum; rounded once
 */
export function addParts(parts: Tensor<"float32">, index: number, shape: readonly number[], dtype: Dtype): Tensor {
  const [count = 0, sums = 0, columns = 0] = parts.shape;
  if (count === 1 && sums === 1 && dtype === "float32") return parts.reshape(shape); // one part is the sum
  const total = allocate(parts.device, [...shape], dtype);
  kernels.columnSums(
    { parts, total },
    { partCount: count, width: columns, stride: sums * columns, offset: index * columns },
    columnLaunch(parts.device, count, columns),
  );
  return total;
}
