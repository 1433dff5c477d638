/** Runs Metal kernels on a CPU as simdgroups and threadgroups of threads, and reports what a GPU would not. */
export { type EmulateOptions, type Emulation, emulate, type TypedArray } from "./emulate.js";
export { EmulatorError } from "./error.js";
export type { Report, ReportKind } from "./report.js";
