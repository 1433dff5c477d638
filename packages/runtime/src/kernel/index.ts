export type { BoundKernel } from "./bind.js";
export { type CompiledKernels, compileKernels } from "./compile.js";
export { defineKernels } from "./define.js";
export { describeStatus, type StatusMessage } from "./operations.js";
export type {
  BufferArgument,
  BufferReflection,
  ConstantReflection,
  KernelReflection,
  KernelsDescriptor,
  LaunchShape,
} from "./types.js";
