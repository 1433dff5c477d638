/** A kernel of the norms as the tuner launches it. Names are those of its binding. */
export interface TunedKernel {
  /** "rmsNormForward" */
  readonly name: string;
  /** "rms_norm.metal" */
  readonly file: string;
  /** Rows that it reads, each with a stride. */
  readonly reads: readonly string[];
  readonly weights: readonly string[];
  /** Rows that it writes. */
  readonly writes: readonly string[];
  /** What it keeps of a row, and how many floats that is. */
  readonly values: readonly [name: string, count: number];
  /** Sums over rows, for gradients of parameters: 0 for a kernel without. */
  readonly sums: number;
  readonly constants: Readonly<Record<string, number>>;
}

const epsilon = 1e-5;

/** With separate rounding, as the bench compares it with other libraries. */
export const tunedKernels: readonly TunedKernel[] = [
  {
    name: "rmsNormForward",
    file: "rms_norm.metal",
    reads: ["source"],
    weights: ["weight"],
    writes: ["output"],
    values: ["rstd", 1],
    sums: 0,
    constants: { epsilon, offset: 0, casting: 1 },
  },
  {
    name: "layerNormForward",
    file: "layer_norm.metal",
    reads: ["source"],
    weights: ["weight", "bias"],
    writes: ["output"],
    values: ["statistics", 3],
    sums: 0,
    constants: { epsilon },
  },
  {
    name: "addRmsNormForward",
    file: "add_rms_norm.metal",
    reads: ["source", "residual"],
    weights: ["weight"],
    writes: ["sum", "output"],
    values: ["rstd", 1],
    sums: 0,
    constants: { epsilon, offset: 0, casting: 1, roundedSum: 1 },
  },
  {
    name: "rmsNormBackward",
    file: "rms_norm.metal",
    reads: ["cotangent", "source"],
    weights: ["weight"],
    writes: ["gradient"],
    values: ["rstd", 1],
    sums: 1,
    constants: { offset: 0 },
  },
  {
    name: "layerNormBackward",
    file: "layer_norm.metal",
    reads: ["cotangent", "source"],
    weights: ["weight"],
    writes: ["gradient"],
    values: ["statistics", 3],
    sums: 2,
    constants: {},
  },
  {
    // The sum that was normalised is all that backward needs where it was rounded.
    name: "addRmsNormBackward",
    file: "add_rms_norm.metal",
    reads: ["cotangent", "sumCotangent", "source"],
    weights: ["weight"],
    writes: ["gradient", "residualGradient"],
    values: ["rstd", 1],
    sums: 1,
    constants: { offset: 0, residualStride: 0 },
  },
];
