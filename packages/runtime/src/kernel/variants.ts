import type { Device } from "../device/device.js";
import { dtypeInfo, dtypes } from "../dtype/dtype.js";
import { ArgumentError, DtypeError, describePlain, ShapeError } from "../errors/index.js";
import type { KernelReflection, LaunchShape } from "./types.js";

/** The types of a launch, by position of their macros: codes of dtypes, -1 where no buffer decided. */
export type Codes = number[];

/** What a GPU compiles a variant with, beside the types. */
export interface GpuLaunch {
  readonly threads: number;
  readonly macros: Readonly<Record<string, string>>;
}

/**
 * Gives the number of a loaded kernel for a device and values of the type macros ("float", "half"…), on a GPU with threads
 * and launcher's macros too.
 */
export type Resolve = (
  device: Device,
  kernel: KernelReflection,
  macros: Readonly<Record<string, string>>,
  gpu?: GpuLaunch,
) => number;

/** Metal's names of the types, by their codes. */
const byCode = dtypes.map((name) => dtypeInfo(name).metal);

/** The macros of a launch. A type that no buffer decided (an optional one is absent) is the source's, or float. */
function macrosOf(kernel: KernelReflection, codes: Codes): Record<string, string> {
  const storage = codes[kernel.macros.indexOf("STORAGE")] ?? 0;
  const macros: Record<string, string> = {};
  kernel.macros.forEach((name, position) => {
    const code = codes[position] as number;
    const undecided = name === "GRADIENT" || name === "PARAMETER" ? 0 : Math.max(storage, 0);
    macros[name] = byCode[code < 0 ? undecided : code] as string;
  });
  return macros;
}

const mostThreads = 1024;

function checkThreads({ name, maxThreads = "" }: KernelReflection, threads: number): void {
  // What the kernel's attribute allows, where it is a plain number.
  const most = /^\d+$/.test(maxThreads) ? Math.min(Number(maxThreads), mostThreads) : mostThreads;
  if (!Number.isInteger(threads) || threads < 1 || threads > most)
    throw new ShapeError({
      operation: name,
      argument: "threads",
      expected: `a whole number from 1 to ${most}`,
      received: describePlain(threads),
    });
}

/** A launcher's macros as text; they may not change what the binding decides. */
function checkMacros(kernel: KernelReflection, macros: NonNullable<LaunchShape["macros"]>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(macros)) {
    const taken = name === "ROW_THREADS" || kernel.macros.includes(name);
    const text = typeof value === "number" || typeof value === "string";
    if (taken || !text || !/^[A-Za-z_]\w*$/.test(name) || /[\r\n]/.test(String(value)))
      throw new ArgumentError({
        operation: kernel.name,
        argument: `macros.${name}`,
        expected: taken ? "no macro that types or threads decide" : "a name, and a number or one line of text",
        received: describePlain(value),
      });
    checked[name] = String(value);
  }
  return checked;
}

/** No bfloat on this device: said before a compiler does. */
function checkBfloat(device: Device, kernel: KernelReflection, macros: Readonly<Record<string, string>>): void {
  if (device.info.bfloat) return;
  if (!Object.values(macros).includes("bfloat") && !kernel.buffers.some(({ element }) => element === "bfloat")) return;
  throw new DtypeError({
    operation: kernel.name,
    expected: `float32 or float16 on ${device.name} (${device.info.level}), whose kernels have no bfloat`,
    received: "bfloat16",
    hint: "Convert with tensor.cast on another device first, or update to macOS 14.",
  });
}

const none: Readonly<Record<string, string | number>> = Object.freeze({});

/** The variants of a kernel that were used on one GPU. */
class GpuVariants {
  readonly #byMacros = new WeakMap<object, Map<number, number>>();
  readonly #byContent = new Map<string, Map<number, number>>();

  /** Variants by types and threads, for one content of macros. */
  of(macros: object): Map<number, number> {
    let known = this.#byMacros.get(macros);
    if (known === undefined) {
      const content = JSON.stringify(Object.entries(macros).sort(([a], [b]) => (a < b ? -1 : 1)));
      known = this.#byContent.get(content) ?? new Map<number, number>();
      this.#byContent.set(content, known);
      // Only what cannot change afterwards is known by its identity.
      if (Object.isFrozen(macros)) this.#byMacros.set(macros, known);
    }
    return known;
  }
}

/** The variants of a kernel that were used, by device: finding one again takes a look-up or two. */
export class Variants {
  readonly #kernel: KernelReflection;
  readonly #resolve: Resolve;
  readonly #cpu = new Map<Device, Map<number, number>>();
  readonly #gpu = new Map<Device, GpuVariants>();

  constructor(kernel: KernelReflection, resolve: Resolve) {
    this.#kernel = kernel;
    this.#resolve = resolve;
  }

  /** The number of the variant that a launch needs; made at its first use. */
  find(device: Device, codes: Codes, shape: LaunchShape): number {
    let key = 0;
    for (const code of codes) key = key * 8 + code + 1;
    if (device.isGpu) return this.#findGpu(device, codes, key, shape);
    let known = this.#cpu.get(device);
    if (known === undefined) {
      known = new Map();
      this.#cpu.set(device, known);
    }
    let number = known.get(key);
    if (number === undefined) {
      number = this.#resolve(device, this.#kernel, macrosOf(this.#kernel, codes));
      known.set(key, number);
    }
    return number;
  }

  #findGpu(device: Device, codes: Codes, types: number, { threads = 1, macros = none }: LaunchShape): number {
    const kernel = this.#kernel;
    let all = this.#gpu.get(device);
    if (all === undefined) {
      all = new GpuVariants();
      this.#gpu.set(device, all);
    }
    checkThreads(kernel, threads); // before they are part of a key
    const known = all.of(macros);
    const key = types * (2 * mostThreads) + threads;
    let number = known.get(key);
    if (number === undefined) {
      const launch = { threads, macros: checkMacros(kernel, macros) };
      const values = macrosOf(kernel, codes);
      checkBfloat(device, kernel, values);
      number = this.#resolve(device, kernel, values, launch);
      known.set(key, number);
    }
    return number;
  }
}
