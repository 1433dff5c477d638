import { fileURLToPath } from "node:url";
import { writeCudaPrelude } from "@metile/msl";
import type { Device } from "../device/device.js";
import { KernelError } from "../errors/index.js";
import { packageFolder } from "./folder.js";
import type { KernelReflection } from "./types.js";
import type { GpuLaunch } from "./variants.js";

/** Type macros that every text may use; see tools/msl. */
const knownTypeMacros = ["STORAGE", "PARAMETER", "COTANGENT", "GRADIENT"];

/** The type macros of a text: all are defined whenever it is compiled, whichever kernel is wanted of it. */
export function typeMacrosOf(kernels: readonly KernelReflection[]): readonly string[] {
  return [...new Set([...knownTypeMacros, ...kernels.flatMap(({ macros }) => macros)])];
}

/** A text as each kind of GPU takes it: given at the first use there. */
export interface GpuTexts {
  /** Metal, with its includes in place. */
  readonly metal: () => string;
  /** The same as CUDA C++, without the prelude. */
  readonly cuda: () => string;
}

let cudaPrelude: string | undefined;

/** What stands in front of every CUDA text: Metal's names for NVIDIA's compiler. */
function prelude(): string {
  cudaPrelude ??= writeCudaPrelude(fileURLToPath(new URL("targets/cuda", packageFolder)));
  return cudaPrelude;
}

/** A text of kernels on GPUs: handed over once a device, compiled once a variant. */
export class GpuSource {
  readonly #fileName: string;
  readonly #texts: GpuTexts;
  readonly #typeMacros: readonly string[];
  readonly #libraries = new Map<Device, number>();

  constructor(fileName: string, texts: GpuTexts, typeMacros: readonly string[]) {
    this.#fileName = fileName;
    this.#texts = texts;
    this.#typeMacros = typeMacros;
  }

  /**
   * The number of a variant, compiled now.
   * @throws KernelError with the compiler's words, which name the file and line
   */
  kernel(device: Device, entry: string, types: Readonly<Record<string, string>>, launch: GpuLaunch): number {
    const macros: string[] = [];
    for (const name of this.#typeMacros) macros.push(name, types[name] ?? undecided(name, types));
    for (const [name, value] of Object.entries(launch.macros)) macros.push(name, value);
    macros.push("ROW_THREADS", String(launch.threads));
    try {
      return device.native.kernel(this.#library(device), entry, { macros, threads: launch.threads, mathMode: "safe" });
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      if (code !== "METILE_KERNEL" && code !== "METILE_LIBRARY") throw cause;
      throw new KernelError({
        operation: entry,
        expected: `a variant of ${this.#fileName} that ${device.name} compiles (${described(macros)})`,
        // NVIDIA's compiler writes x.metal(7) for line 7, everybody else x.metal:7.
        received: message.replace(/(\.metal)\((\d+)\)/g, "$1:$2"),
        cause,
      });
    }
  }

  #library(device: Device): number {
    let library = this.#libraries.get(device);
    if (library === undefined) {
      const text = device.name === "metal" ? this.#texts.metal() : prelude() + this.#texts.cuda();
      library = device.native.loadSource(text, this.#fileName);
      this.#libraries.set(device, library);
    }
    return library;
  }
}

/**
 * The value of a type that the kernel has no use for. A cotangent is most often of the source's type: then what a forward pass
 * compiled is what its backward pass needs.
 */
function undecided(name: string, types: Readonly<Record<string, string>>): string {
  return (name === "COTANGENT" ? types.STORAGE : undefined) ?? "float";
}

/** Macros as a person would define them: STORAGE=half ROW_PACK=8. */
function described(macros: readonly string[]): string {
  return macros.flatMap((name, index) => (index % 2 === 0 ? [`${name}=${macros[index + 1]}`] : [])).join(" ");
}
