/** A buffer of a kernel: a pointer into device or constant memory. */
export interface BufferReflection {
  readonly name: string;
  /** n of `[[buffer(n)]]`. */
  readonly index: number;
  /** Type of its elements: a type macro such as `STORAGE`, or a type of Metal such as `float`. */
  readonly element: string;
  /** "read" where the kernel declares it const. */
  readonly access: "read" | "write";
  /** Whether a constant `has_<name>` tells the kernel that it is there. */
  readonly optional: boolean;
}

/** A constant of a kernel: a reference into constant memory. */
export interface ConstantReflection {
  readonly name: string;
  readonly index: number;
  /** `uint`, `int`, `float`, `ulong`, `long`, `bool`, or a vector such as `uint4`. */
  readonly type: string;
  /** Of `has_<buffer>`: the buffer's name. The binding passes 1 when it is bound and 0 when it is not. */
  readonly automatic?: string;
}

/** Threadgroup memory whose size a launch decides. */
export interface ThreadgroupReflection {
  readonly index: number;
  readonly name: string;
  readonly element: string;
}

/** A parameter that tells a thread where it is. */
export interface AttributeReflection {
  readonly name: string;
  readonly type: string;
  /** `thread_position_in_grid` and its like. */
  readonly attribute: string;
}

/** What a host must know to launch a kernel. It is plain JSON. */
export interface KernelReflection {
  readonly name: string;
  /** Type macros that it varies over, in the order in which their values make up an entry's name. */
  readonly macros: readonly string[];
  readonly buffers: readonly BufferReflection[];
  readonly constants: readonly ConstantReflection[];
  readonly threadgroup: readonly ThreadgroupReflection[];
  readonly attributes: readonly AttributeReflection[];
  /** The argument of `[[max_total_threads_per_threadgroup(…)]]`, as text. */
  readonly maxThreads?: string;
  /** Line of its name, from 1. */
  readonly line: number;
  readonly file: string;
}

/** Name of the buffer of a launch's status words, which a runtime binds itself. */
export const STATUS_BUFFER = "status";
