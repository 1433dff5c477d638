import type { Device } from "../../device/device.js";
import { entryName, libraryPath, textsOf } from "../../kernel/define.js";
import { GpuSource, typeMacrosOf } from "../../kernel/gpu.js";
import type { KernelReflection, KernelsDescriptor } from "../../kernel/types.js";
import type { GpuLaunch } from "../../kernel/variants.js";
import { launchesOf } from "./tiles.js";
import { typesOf } from "./types.js";

/** A variant that a device does not take. */
export interface RefusedVariant {
  readonly family: string;
  readonly kernel: string;
  readonly file: string;
  /** STORAGE=half ROW_THREADS=256 */
  readonly macros: string;
  /** The compiler's words. */
  readonly message: string;
}

/** What came of one kernel. */
export interface KernelReport {
  readonly family: string;
  readonly kernel: string;
  readonly file: string;
  /** Variants that were tried. */
  readonly variants: number;
  readonly seconds: number;
  readonly refused: readonly RefusedVariant[];
  /** Of GPUs: the fewest threads that a variant may have, lanes of a simdgroup, the most threadgroup memory. */
  readonly limits?: { readonly threads: number; readonly executionWidth: number; readonly threadgroupBytes: number };
}

type Limits = NonNullable<KernelReport["limits"]>;

/** Compiles a variant, or finds it in a library; gives its number. */
type Make = (kernel: KernelReflection, types: Readonly<Record<string, string>>, launch?: GpuLaunch) => number;

function makerOnGpu(device: Device, descriptor: KernelsDescriptor, file: string): Make {
  const typeMacros = typeMacrosOf(descriptor.kernels.filter((kernel) => kernel.file === file));
  const source = new GpuSource(file, textsOf(descriptor, file), typeMacros);
  return (kernel, types, launch = { threads: 1, macros: {} }) => source.kernel(device, kernel.name, types, launch);
}

function makerOnCpu(device: Device, descriptor: KernelsDescriptor): Make {
  let library: number | undefined;
  return (kernel, types) => {
    library ??= device.native.loadLibrary(libraryPath(descriptor, device));
    return device.native.kernel(library, entryName(kernel, types));
  };
}

/** The compiler's own words, out of the error that wraps them. */
function compilerMessage(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

function described(types: Readonly<Record<string, string>>, launch: GpuLaunch | undefined): string {
  const macros = { ...types, ...launch?.macros, ...(launch && { ROW_THREADS: launch.threads }) };
  return Object.entries(macros)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

function narrow(limits: Limits | undefined, device: Device, number: number): Limits | undefined {
  const info = device.native.kernelInfo?.(number);
  if (info === undefined) return limits;
  return {
    threads: Math.min(limits?.threads ?? info.maxThreads, info.maxThreads),
    executionWidth: info.executionWidth,
    threadgroupBytes: Math.max(limits?.threadgroupBytes ?? 0, info.staticThreadgroupBytes),
  };
}

/** Compiles every variant of a package's kernels on a GPU; on a CPU, looks all of them up in the package's library. */
export function compileAll(device: Device, descriptor: KernelsDescriptor, quick: boolean): KernelReport[] {
  const { isGpu: gpu, info } = device;
  const onCpu = gpu ? undefined : makerOnCpu(device, descriptor);
  const makers = new Map<string, Make>();
  return descriptor.kernels.map((kernel) => {
    const { file } = kernel;
    const make = onCpu ?? makers.get(file) ?? makerOnGpu(device, descriptor, file);
    makers.set(file, make);
    const about = { family: descriptor.family, kernel: kernel.name, file };
    const refused: RefusedVariant[] = [];
    let limits: Limits | undefined;
    let variants = 0;
    const start = performance.now();
    const text = descriptor.sources[file] ?? "";
    for (const types of typesOf(kernel, text, { gpu, bfloat: info.bfloat, quick }))
      for (const launch of gpu ? launchesOf(device, kernel, Object.values(types), quick) : [undefined]) {
        variants += 1;
        try {
          limits = narrow(limits, device, make(kernel, types, launch));
        } catch (error) {
          refused.push({ ...about, macros: described(types, launch), message: compilerMessage(error) });
        }
      }
    const seconds = (performance.now() - start) / 1000;
    return { ...about, variants, seconds, refused, ...(limits && { limits }) };
  });
}
