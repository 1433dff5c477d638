import { kernels } from "../../generated/index.js";
import { checkDtype, type Dtype, dtypeInfo } from "../dtype/dtype.js";
import { ShapeError } from "../errors/index.js";
import { elementLaunch } from "../rows/launch.js";
import { allocate } from "../tensor/create.js";
import { isContiguous } from "../tensor/geometry.js";
import type { Tensor } from "../tensor/tensor.js";

/** Dimensions that the kernel walks. */
const mostDimensions = 8;

type Four = [number, number, number, number];

/** Sizes and strides of both sides, neighbouring dimensions merged where both sides allow it: fewer, longer inner loops. */
function mergeBoth(source: Tensor, target: Tensor): { size: number; from: number; to: number }[] {
  const merged: { size: number; from: number; to: number }[] = [];
  for (let axis = 0; axis < source.rank; axis += 1) {
    const size = source.shape[axis] as number;
    const from = source.strides[axis] as number;
    const to = target.strides[axis] as number;
    if (size === 1) continue;
    const last = merged[merged.length - 1];
    if (last !== undefined && last.from === from * size && last.to === to * size) {
      last.size *= size;
      last.from = from;
      last.to = to;
    } else {
      merged.push({ size, from, to });
    }
  }
  return merged;
}

/** Eight numbers, the innermost dimension last, as the kernel takes them: the outer four and the inner four. */
function eight(values: readonly number[], missing: number): { outer: Four; inner: Four } {
  const all = [...new Array<number>(mostDimensions - values.length).fill(missing), ...values];
  return { outer: all.slice(0, 4) as Four, inner: all.slice(4) as Four };
}

/**
 * Copies and converts all elements of a tensor into another of the same shape. Floats are rounded once, to nearest even;
 * floats to integers go towards zero and saturate, NaN becomes 0; anything but 0 is true.
 *
 * @throws ShapeError when more than eight dimensions remain that no stride joins
 */
export function copyInto(source: Tensor, target: Tensor): void {
  const from = source.storage; // throws for a disposed tensor before anything else happens
  const to = target.storage;
  if (source.size === 0) return;
  const { bytes } = dtypeInfo(source.dtype);
  if (source.dtype === target.dtype && isContiguous(source) && isContiguous(target)) {
    from.device.native.copy(from.slot, source.byteOffset, to.slot, target.byteOffset, source.size * bytes);
    to.version += 1;
    return;
  }
  const dimensions = mergeBoth(source, target);
  if (dimensions.length > mostDimensions)
    throw new ShapeError({
      operation: "copy",
      argument: "source",
      expected: `at most ${mostDimensions} dimensions that no stride joins`,
      received: `${dimensions.length} of shape [${source.shape.join(", ")}]`,
    });
  const sizes = eight(
    dimensions.map((dimension) => dimension.size),
    1,
  );
  const sourceStrides = eight(
    dimensions.map((dimension) => dimension.from),
    0,
  );
  const targetStrides = eight(
    dimensions.map((dimension) => dimension.to),
    0,
  );
  kernels.stridedCopy(
    { source, target },
    {
      count: source.size,
      sizesOuter: sizes.outer,
      sizesInner: sizes.inner,
      sourceStridesOuter: sourceStrides.outer,
      sourceStridesInner: sourceStrides.inner,
      targetStridesOuter: targetStrides.outer,
      targetStridesInner: targetStrides.inner,
    },
    {
      ...elementLaunch(from.device, source.size),
      overwrites: target.size * dtypeInfo(target.dtype).bytes === to.bytes,
    },
  );
}

/** A contiguous copy in a type, converted as {@link copyInto} does. */
export function copyTensor<To extends Dtype>(source: Tensor, dtype: To): Tensor<To> {
  void source.storage;
  checkDtype("Tensor.cast", dtype);
  const target = allocate(source.device, source.shape, dtype);
  try {
    copyInto(source, target);
  } catch (error) {
    target.dispose();
    throw error;
  }
  return target;
}
