/** The addon's surface. Slots, libraries and kernels are small numbers; the addon checks every one of them. */
export interface NativeBinding {
  /** Version of the entry points of kernel libraries and of the launch encoding. */
  readonly artefactVersion: number;
  cpu(): { brand: string; cores: number; levels: string[] };
  openCpu(): NativeDevice;
  /** Whether Metal can be opened here, and why not. Asks the system once. */
  metal(): MetalReport;
  /**
   * Opens the GPU, once a process.
   * @param transfers - the text of what copies and fills are made of (transfer.metal)
   * @throws Error with code METILE_DEVICE or METILE_KERNEL
   */
  openMetal(transfers: string): NativeDevice;
  /** Compares the live runtime's methods with what the addon sends; the device has to be open. */
  metalAbi(): MetalAbi;
  /** Whether NVIDIA's driver and run-time compiler are here, and why not. Opens no device. */
  cuda(): CudaReport;
  /** @throws Error with code METILE_DEVICE */
  openCuda(index: number): NativeDevice;
  /** Kernels that were compiled in this process; those found on disk are not counted. */
  cudaCompiled(index: number): number;
}

/** What NVIDIA's driver says of a GPU. */
export interface CudaFacts {
  readonly index: number;
  readonly name: string;
  /** "sm_90". */
  readonly architecture: string;
  readonly multiprocessors: number;
  readonly memoryBytes: number;
  /** Memory of a threadgroup, at most. */
  readonly threadgroupBytes: number;
  /** The CUDA that the driver is made for: "13.0". */
  readonly driverVersion: string;
}

export type CudaReport =
  | {
      readonly available: true;
      readonly devices: readonly CudaFacts[];
      /** Files that were opened. */
      readonly driver: string;
      readonly compiler: string;
      readonly compilerVersion: string;
    }
  | { readonly available: false; readonly reason: string };

/** What Metal says of the GPU that it would open. */
export interface MetalFacts {
  readonly available: true;
  readonly name: string;
  /** "applegpu_g15s"; from macOS 14 on. */
  readonly architecture: string;
  /** Of macOS: "15.1". */
  readonly systemVersion: string;
  /** Of Metal Shading Language: "3.2". */
  readonly languageVersion: string;
  /** Of Apple's families: 7 for M1 to 10 for M5. */
  readonly appleFamily: number;
  readonly metal3: boolean;
  readonly lowPower: boolean;
  /** Whether kernels may use bfloat; known once the device is open. */
  readonly bfloat?: boolean;
  /** Whether this is the test suites' Metal and no GPU. */
  readonly standin: boolean;
  readonly maxBufferBytes: number;
  readonly recommendedBytes: number;
  /** Threads of a threadgroup, at most. */
  readonly maxThreads: number;
  /** Memory of a threadgroup, at most. */
  readonly threadgroupBytes: number;
  readonly unifiedMemory: boolean;
}

/** How the live Objective-C runtime differs from the prototypes that the addon was built with. */
export interface MetalAbi {
  /** Messages that were compared. */
  readonly checked: number;
  /** `theirs` is empty where there is no such method. */
  readonly differences: readonly { receiver: string; selector: string; ours: string; theirs: string }[];
  /** Kinds of receivers of which none could be made. */
  readonly unreached: readonly string[];
}

export type MetalReport = MetalFacts | { readonly available: false; readonly reason: string };

/** How a GPU compiles a variant of a kernel. */
export interface NativeVariant {
  /** Name, value, name, value… */
  readonly macros: readonly string[];
  readonly threads: number;
  readonly mathMode: "safe" | "relaxed" | "fast";
}

/** One environment's view of a process-wide device. */
export interface NativeDevice {
  threads: number;
  memoryLimit: number;
  allocate(bytes: number, zeroed: boolean): number;
  /** `collected`: the garbage collector found it, rather than the program giving it back. */
  release(slot: number, collected?: boolean): void;
  memory(): { live: number; cached: number; peak: number; storages: number };
  trim(): void;
  /** A library of compiled kernels (CPU). */
  loadLibrary(path: string): number;
  /** A text of kernels (GPUs); nothing is compiled yet. */
  loadSource(text: string, fileName: string): number;
  /**
   * The number of a kernel in a library (CPU), or of a variant of a kernel of a text (GPUs), which is compiled now.
   * @throws Error with code METILE_KERNEL and the compiler's words
   */
  kernel(library: number, entry: string, variant?: NativeVariant): number;
  launch(words: Uint32Array, count: number): void;
  write(slot: number, byteOffset: number, source: ArrayBufferView): void;
  copy(from: number, fromOffset: number, to: number, toOffset: number, bytes: number): void;
  fill(slot: number, byteOffset: number, bytes: number, pattern: number): void;
  read(slot: number, byteOffset: number, byteLength: number, convert: 0 | 1 | 2): Promise<ArrayBuffer>;
  readSync(slot: number, byteOffset: number, byteLength: number, convert: 0 | 1 | 2, target: ArrayBufferView): void;
  synchronize(): Promise<void>;
  synchronizeSync(): void;
  injectFault(message: string): void;
  counters(): { launches: number; completed: number; libraries: number; kernels: number };
  /** Of GPUs: sums since the device was opened. */
  gpuTime?(): { seconds: number; commandBuffers: number };
  /** Of GPUs: what the compiler made of a kernel. */
  kernelInfo?(kernel: number): {
    maxThreads: number;
    executionWidth: number;
    staticThreadgroupBytes: number;
    /** NVIDIA's compiler alone tells these two. */
    registers: number;
    spilledBytes: number;
  };
}

/** The version of launches and libraries that this runtime speaks. */
export const ARTEFACT_VERSION = 2;
