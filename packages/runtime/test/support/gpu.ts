import { Device } from "../../src/device/device.js";
import { type Dtype, dtypeInfo } from "../../src/dtype/dtype.js";
import type { BufferArgument } from "../../src/kernel/types.js";
import type { NativeDevice, NativeVariant } from "../../src/native/types.js";
import { Storage } from "../../src/storage/storage.js";

/** A launch as its words say. */
export interface SeenLaunch {
  readonly kernel: number;
  readonly groups: readonly number[];
  readonly threads: number;
  readonly work: number;
  readonly buffers: readonly { index: number; flags: number; slot: number; offset: number }[];
  readonly constants: readonly { index: number; bytes: number; words: readonly number[] }[];
  readonly threadgroup: readonly { index: number; bytes: number }[];
}

/** Reads a launch's words, and fails where they end early or late. */
export function decodeLaunch(words: Uint32Array, count: number): SeenLaunch {
  let at = 0;
  const take = (): number => {
    if (at >= count) throw new Error(`a launch of ${count} words ends too early`);
    return words[at++] as number;
  };
  const [kernel, x, y, z, threads, work] = Array.from({ length: 6 }, take) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  take(); // the operation
  const counts = take();
  const each = <Item>(length: number, read: () => Item): Item[] => Array.from({ length }, read);
  const buffers = each(counts & 0xff, () => {
    const head = take();
    const slot = take();
    return { index: head & 0xff, flags: head >>> 8, slot, offset: take() + take() * 2 ** 32 };
  });
  const constants = each((counts >>> 8) & 0xff, () => {
    const head = take();
    const bytes = head >>> 8;
    return { index: head & 0xff, bytes, words: each(Math.ceil(bytes / 4), take) };
  });
  const threadgroup = each(counts >>> 16, () => {
    const word = take();
    return { index: word & 0xff, bytes: word >>> 8 };
  });
  if (at !== count) throw new Error(`a launch of ${count} words has ${count - at} too many`);
  return { kernel, groups: [x, y, z], threads, work, buffers, constants, threadgroup };
}

export interface FakeGpu {
  readonly device: Device;
  /** Texts in the order in which they were handed over. */
  readonly sources: { text: string; fileName: string }[];
  /** Variants in the order in which they were compiled: number 1 first. */
  readonly variants: (NativeVariant & { library: number; entry: string })[];
  readonly launches: SeenLaunch[];
  /** What the compiler says of the next variant. */
  failure: string | undefined;
  /** What the addon says of the next launch. */
  refusal: string | undefined;
  /** A buffer of a number of elements that begins some bytes into its storage. */
  buffer(dtype: Dtype, elements?: number, byteOffset?: number): BufferArgument;
}

/** A GPU that compiles and runs nothing, and notes what it is asked to. */
export function fakeGpu({ bfloat = true } = {}): FakeGpu {
  let slots = 0;
  const native: Partial<NativeDevice> = {
    threads: 1,
    memoryLimit: 2 ** 40,
    allocate: () => ++slots,
    release: () => {},
    loadLibrary: () => {
      throw new Error("a GPU has no use for a CPU's library");
    },
    loadSource: (text, fileName) => gpu.sources.push({ text, fileName }),
    kernel: (library, entry, variant) => {
      if (variant === undefined) throw new Error("a GPU wants threads and macros");
      if (gpu.failure !== undefined) throw Object.assign(new Error(gpu.failure), { code: "METILE_KERNEL" });
      return gpu.variants.push({ library, entry, ...variant });
    },
    launch: (words, count) => {
      if (gpu.refusal !== undefined) throw new RangeError(gpu.refusal);
      gpu.launches.push(decodeLaunch(words, count));
    },
  };
  const info = {
    name: "metal",
    hardware: "fake",
    level: "applegpu_g13g, Metal 3.0",
    reason: "a test",
    bfloat,
    standin: true,
  } as const;
  const gpu: FakeGpu = {
    device: new Device(info, native as NativeDevice),
    sources: [],
    variants: [],
    launches: [],
    failure: undefined,
    refusal: undefined,
    buffer(dtype, elements = 64, byteOffset = 0) {
      const storage = new Storage(gpu.device, byteOffset + elements * dtypeInfo(dtype).bytes, false);
      return { storage, byteOffset, dtype };
    },
  };
  return gpu;
}

/** Name, value, name, value… as an object. */
export function macrosIn({ macros }: NativeVariant): Record<string, string> {
  return Object.fromEntries(
    macros.flatMap((name, index) => (index % 2 === 0 ? [[name, macros[index + 1] as string]] : [])),
  );
}
