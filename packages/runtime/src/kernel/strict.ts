import { dtypes } from "../dtype/dtype.js";
import { ArgumentError, describePlain } from "../errors/index.js";
import type { Tensor } from "../tensor/tensor.js";
import type { BufferArgument } from "./types.js";

// Launches of a build's kernels are typed by the build. Those of a text that was compiled at run time are written by hand:
// here a misspelt name would be an absent buffer, and a strided view would be read as if it were contiguous.

const shapeNames = ["groups", "threads", "macros", "threadgroup", "overwrites", "work"];

function checkNames(kernel: string, argument: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new ArgumentError({ operation: kernel, argument, expected: "an object", received: describePlain(given) });
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new ArgumentError({
        operation: kernel,
        argument,
        expected: known.length === 0 ? "no names" : `only names among ${known.join(", ")}`,
        received: `"${name}"`,
      });
}

function checkBuffer(kernel: string, argument: string, given: unknown): void {
  if (given === undefined || given === null) return; // whether it may be absent is the binding's business
  const { storage, dtype } = given as Partial<BufferArgument>;
  if (typeof given !== "object" || typeof storage !== "object" || !dtypes.includes(dtype as never))
    throw new ArgumentError({
      operation: kernel,
      argument,
      expected: "a tensor, or { storage, byteOffset, dtype }",
      received: describePlain(given),
    });
  const { isContiguous, strides, shape } = given as Partial<Tensor>; // by its properties: a tensor's copies use kernels
  if (isContiguous === false)
    throw new ArgumentError({
      operation: kernel,
      argument,
      expected: "a contiguous tensor, since the kernel is not told of strides",
      received: `strides [${strides?.join(", ")}] for shape [${shape?.join(", ")}]`,
      hint: "Pass tensor.contiguous(), or { storage, byteOffset, dtype } and the strides as constants.",
    });
}

/** Throws when a launch by hand has names that the kernel does not know, or buffers that it cannot read. */
export function checkLaunch(
  kernel: string,
  names: { buffers: readonly string[]; constants: readonly string[] },
  [buffers, constants, shape]: readonly [unknown, unknown, unknown],
): void {
  checkNames(kernel, "buffers", buffers, names.buffers);
  checkNames(kernel, "constants", constants, names.constants);
  checkNames(kernel, "shape", shape, shapeNames);
  for (const name of names.buffers) checkBuffer(kernel, name, (buffers as Record<string, unknown>)[name]);
}
