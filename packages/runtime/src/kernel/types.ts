import type { Dtype } from "../dtype/dtype.js";
import type { Storage } from "../storage/storage.js";

/** What a kernel's buffer is bound to: storage from a byte on, with the type of its elements. A Tensor is one. */
export interface BufferArgument {
  readonly storage: Storage;
  /** Bytes from the start of the storage. */
  readonly byteOffset: number;
  readonly dtype: Dtype;
}

/**
 * How a kernel is spread over a device. Launchers (`rowLaunch`, `partialLaunch`) make them; what is marked with "GPUs" is
 * ignored on a CPU.
 */
export interface LaunchShape {
  /** Threadgroups, in one or three dimensions. */
  readonly groups: number | readonly [number, number, number];
  /** Threads a threadgroup (GPUs), 1 to 1024. Kernels see it as ROW_THREADS. @default 1 */
  readonly threads?: number;
  /**
   * Further macros of the variant (GPUs), beside those of types. A variant is compiled for each content; the same object
   * again is found without looking at it, so that launchers give out objects that they keep.
   */
  readonly macros?: Readonly<Record<string, string | number>>;
  /** Bytes of each threadgroup argument of the kernel by its name (GPUs); rounded up to 16. Row kernels: `scratch` of 512. */
  readonly threadgroup?: Readonly<Record<string, number>>;
  /** Whether every written buffer is replaced whole: a fault of its storage is then forgotten. */
  readonly overwrites?: boolean;
  /** Elements touched: small work is not spread over threads. Default: large. */
  readonly work?: number;
}

/** One kernel as its text declares it. Emitted by the build. */
export interface KernelReflection {
  readonly name: string;
  /** The type macros that it varies over, in order. */
  readonly macros: readonly string[];
  readonly buffers: readonly BufferReflection[];
  readonly constants: readonly ConstantReflection[];
  readonly threadgroup: readonly { readonly index: number; readonly name: string; readonly element: string }[];
  readonly attributes: readonly { readonly name: string; readonly type: string; readonly attribute: string }[];
  readonly maxThreads?: string;
  readonly file: string;
  readonly line: number;
}

export interface BufferReflection {
  readonly name: string;
  readonly index: number;
  /** A Metal type ("float") or a type macro ("STORAGE"). */
  readonly element: string;
  readonly access: "read" | "write";
  readonly optional: boolean;
}

export interface ConstantReflection {
  readonly name: string;
  readonly index: number;
  /** A Metal scalar or vector type. */
  readonly type: string;
  /** The buffer whose presence the binding writes here. */
  readonly automatic?: string;
}

/** What the build emits for a package. */
export interface KernelsDescriptor {
  readonly family: string;
  readonly artefactVersion: number;
  /** The folder of the CPU libraries. */
  readonly directory: URL;
  /** Self-contained texts by file name. */
  readonly sources: Readonly<Record<string, string>>;
  readonly kernels: readonly KernelReflection[];
}
