/** The addon's surface. Slots, libraries and kernels are small numbers; the addon checks every one of them. */
export interface NativeBinding {
  /** Version of the entry points of kernel libraries and of the launch encoding. */
  readonly artefactVersion: number;
  cpu(): { brand: string; cores: number; levels: string[] };
  openCpu(): NativeDevice;
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
  loadLibrary(path: string): number;
  kernel(library: number, entry: string): number;
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
}

/** The version of launches and libraries that this runtime speaks. */
export const ARTEFACT_VERSION = 2;
