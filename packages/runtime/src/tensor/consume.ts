import type { Dtype } from "../dtype/dtype.js";
import { ArgumentError, LifetimeError } from "../errors/index.js";
import type { Tensor } from "./tensor.js";
import { view } from "./views.js";

/**
 * Takes a tensor's storage away from its handle, for an operation called with `consume: true`: the handle is dead
 * afterwards and the operation may write where the values were.
 *
 * @param operation - for messages
 * @param argument - for messages
 * @returns a new handle, the only one
 * @throws ArgumentError when it is not contiguous
 * @throws LifetimeError when it was disposed of, or a view, another handle or saved values share the storage
 */
export function consume<D extends Dtype>(operation: string, argument: string, tensor: Tensor<D>): Tensor<D> {
  if (tensor.disposed)
    throw new LifetimeError({ operation, argument, expected: "a live tensor", received: "one that was disposed of" });
  const { storage } = tensor;
  if (!tensor.isContiguous)
    throw new ArgumentError({
      operation,
      argument,
      expected: "a contiguous tensor, since consume: true writes over it",
      received: `strides [${tensor.strides.join(", ")}] for shape [${tensor.shape.join(", ")}]`,
      hint: "Pass a clone.",
    });
  if (storage.references !== 1)
    throw new LifetimeError({
      operation,
      argument,
      expected: "a tensor whose storage nothing else uses, since consume: true gives it away",
      received: `one that ${storage.references - 1} other view(s), handle(s) or saved value(s) share`,
      hint: "Dispose of those first, or pass a clone.",
    });
  const moved = view(tensor, tensor);
  tensor.dispose();
  return moved;
}
