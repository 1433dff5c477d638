export { checkBound, checkShapeIs, checkTensor, describeValue } from "./check.js";
export type { InputContract, OptionContract, PairContract, Tolerance } from "./contract.js";
export { definePair } from "./define.js";
export { currentRecorder, type RecordedCall, type Recorder, withRecorder } from "./recorder.js";
export { Saved } from "./saved.js";
export type {
  BackwardCall,
  BackwardOptions,
  CommonOptions,
  Cotangents,
  ForwardCall,
  ForwardResult,
  Gradients,
  GradientType,
  Pair,
  PairImplementation,
} from "./types.js";
