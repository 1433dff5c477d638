/** Reads Metal Shading Language: reflection, typed bindings and the C++ that CPU libraries are built from. */
export { CompileError, type Compiler, findCompiler, type Level, NoCompilerError } from "@metile/compiler";
export { ARTEFACT_VERSION, type LibraryText, writeLibrary } from "./cpp/library.js";
export type { Variant } from "./cpp/variant.js";
export { type CudaText, writeCuda } from "./cuda/cuda.js";
export type { CudaArgument, CudaKernel } from "./cuda/entry.js";
export { writeCudaPrelude } from "./cuda/prelude.js";
export {
  type GpuText,
  type GpuView,
  type KernelFile,
  readGpuText,
  readGpuView,
  readKernelFile,
} from "./kernel/file.js";
export type { Parameter } from "./kernel/parameter.js";
export type { KernelSyntax } from "./kernel/parse.js";
export type {
  AttributeReflection,
  BufferReflection,
  ConstantReflection,
  KernelReflection,
  ThreadgroupReflection,
} from "./kernel/reflection.js";
export { combinations, entryName, KNOWN_TYPE_MACROS, type MacroValues, type TypeMacro } from "./kernel/typemacro.js";
export { findMistakes } from "./lint/text.js";
export { writeBindings } from "./package/bindings.js";
export { BUDGET, BudgetError } from "./package/budget.js";
export { type BuildOptions, type BuildReport, buildPackage } from "./package/build.js";
export { SourceLoader } from "./preprocess/include.js";
export { inlineIncludes } from "./preprocess/inline.js";
export { compileAtRuntime, compileAtRuntimeSync, type RuntimeLibrary, type RuntimeRequest } from "./runtime/compile.js";
export { defaultCacheFolder } from "./runtime/folder.js";
export { MslError } from "./text/error.js";
export { Source } from "./text/source.js";
export { type Token, tokenize } from "./text/token.js";
