import type { Dtype } from "../dtype/dtype.js";
import type { Tensor } from "../tensor/tensor.js";

/**
 * A parameter as kernels read it: contiguous, and on a CPU float32 (a weight is one row: converting it once costs less than
 * kernels for every type of weights), on a GPU of the source's type or float32. Anything else is copied in a cast launch;
 * the copy is a tensor that the operation's own scope disposes of.
 *
 * @param parameter - a weight or bias with any strides and type
 * @param source - the type of the operation's source
 */
export function asParameter(parameter: Tensor, source: Dtype): Tensor;
export function asParameter(parameter: Tensor | undefined, source: Dtype): Tensor | undefined;
export function asParameter(parameter: Tensor | undefined, source: Dtype): Tensor | undefined {
  if (parameter === undefined) return undefined;
  const asSource = parameter.dtype === source && parameter.device.isGpu;
  const dtype = asSource ? parameter.dtype : "float32";
  return dtype === parameter.dtype && parameter.isContiguous ? parameter : parameter.cast(dtype);
}
