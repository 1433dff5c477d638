/** Finds a C++ compiler and makes CPU libraries with it. */
export { CompileError, type CompilerAttempt, NoCompilerError } from "./errors.js";
export { type Compiler, type CompilerKind, type FindOptions, findCompiler } from "./find.js";
export { appleLinkArguments, compileFlags } from "./flags.js";
export {
  buildIdentity,
  compileLibrary,
  compileLibrarySync,
  type LibraryRequest,
  type LibraryResult,
  libraryCommands,
} from "./library.js";
export { trimMachO } from "./macho/trim.js";
export { type Command, runCommand, runCommandSync } from "./process.js";
export {
  BUILDS,
  type Build,
  hostLevels,
  hostTarget,
  type Level,
  levelsOfFlags,
  libraryExtension,
  libraryFileName,
  type Target,
} from "./target.js";
