import type { Device, Saved, Tensor } from "@metile/runtime";
import { type Half, halvesOf, type Pass, type Shape } from "../measure/case.js";

/** Tensors of an operation by name: its inputs, and the cotangents of its outputs. */
export type Inputs = Readonly<Record<string, Tensor>>;

/**
 * Gives the values of an input.
 *
 * @param name - as in the operation's contract; a cotangent is named for its output: "cotangent", "residualCotangent"
 * @param extents - [rows, columns] or [columns]
 */
export type Fill = (name: string, extents: readonly number[]) => Float32Array;

/** An operation as the bench sees it. */
export interface Operation {
  /** The operation's name, as exported: "rmsNorm". */
  readonly name: string;
  /** Bytes that a pass has to read and write, at the least. */
  readonly bytes: (pass: Pass, shape: Shape) => number;
  /** Makes inputs and cotangents on a device. */
  make(shape: Shape, fill: Fill, device: Device): Inputs;
  /** Queues a forward pass. */
  forward(inputs: Inputs, shape: Shape): ForwardPass;
}

/** What a forward pass gives, and the way back. */
export interface ForwardPass {
  /** By the names of the outputs. */
  readonly outputs: Readonly<Record<string, Tensor>>;
  readonly saved: Saved;
  /** Queues a backward pass for all gradients and gives them by the names of the inputs. May be called again. */
  backward(): Readonly<Record<string, Tensor>>;
}

/** An input of the name; a missing one is a mistake in the operation's `make`. */
export function input(inputs: Inputs, name: string): Tensor {
  const found = inputs[name];
  if (found === undefined) throw new Error(`no input "${name}" was made`);
  return found;
}

/** Bytes of a pass from those of its halves. */
export function summed(bytes: (half: Half, shape: Shape) => number): Operation["bytes"] {
  return (pass, shape) => halvesOf(pass).reduce((sum, half) => sum + bytes(half, shape), 0);
}
