import { shared } from "../native/shared.js";
import type { Tensor } from "../tensor/tensor.js";
import type { Saved } from "./saved.js";

/** One call of a pair, as a tape keeps it. */
export interface RecordedCall {
  /** The name of the operation. */
  readonly name: string;
  /** The tensors of the call by the names of the inputs; what was left out is absent. */
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly outputs: Readonly<Record<string, Tensor>>;
  readonly saved: Saved;
  /** The pair's backward pass over this call. */
  backward(
    cotangents: Readonly<Record<string, Tensor | undefined>>,
    wanted: readonly string[],
  ): Readonly<Record<string, Tensor>>;
}

/** Something that writes down calls of pairs in order to run them backwards. */
export interface Recorder {
  /** Which of the inputs a gradient may be asked for; none: the call is not recorded and saves nothing. */
  wants(inputs: Readonly<Record<string, Tensor>>): readonly string[];
  record(call: RecordedCall): void;
}

/** The recorder of this environment, if one is at work. */
export function currentRecorder(): Recorder | undefined {
  return shared().recorder as Recorder | undefined;
}

/** Runs a function with a recorder at work, or with none. Calls of pairs inside it are recorded; `.forward` is not. */
export function withRecorder<Result>(recorder: Recorder | undefined, run: () => Result): Result {
  const state = shared();
  const before = state.recorder;
  state.recorder = recorder;
  try {
    return run();
  } finally {
    state.recorder = before;
  }
}
