/** What a stand-in for Metal asks of the compile server. */
export interface ModuleRequest {
  /** Metal Shading Language that needs no other file; `#line` directives in it keep names and lines. */
  readonly text: string;
  /** All macros, types among them. */
  readonly macros: Readonly<Record<string, string>>;
  /** @default "3.1" */
  readonly languageVersion?: string | undefined;
  /** All modes compute alike here. */
  readonly mathMode?: "safe" | "relaxed" | "fast" | undefined;
}

/** A buffer of a kernel, a constant among them. */
export interface ModuleBuffer {
  readonly index: number;
  readonly kind: "device" | "constant";
  readonly writable: boolean;
  /** Bytes that it needs; null for arrays. */
  readonly bytes: number | null;
}

/** A kernel of a module. */
export interface ModuleKernel {
  readonly name: string;
  /** Of the variables that it declares in threadgroup memory. */
  readonly threadgroupBytes: number;
  readonly buffers: readonly ModuleBuffer[];
  /** n of each `[[threadgroup(n)]]`. */
  readonly threadgroups: readonly number[];
}

/** A module that was made. */
export interface ModuleResult {
  /** Path of the shared library. */
  readonly module: string;
  readonly kernels: readonly ModuleKernel[];
}

/** A text that does not compile: the message is what a compiler would say, `src/x.metal:12:5: error: …`. */
export class ModuleError extends Error {
  override readonly name = "ModuleError";
}
