import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Device } from "../device/device.js";
import { DeviceError, KernelError } from "../errors/index.js";
import { describePlatform } from "../native/load.js";
import { registerKernels } from "../native/shared.js";
import { ARTEFACT_VERSION } from "../native/types.js";
import { type BoundKernel, bindKernel, camelCase } from "./bind.js";
import { GpuSource, type GpuTexts, typeMacrosOf } from "./gpu.js";
import type { KernelReflection, KernelsDescriptor } from "./types.js";

function checkVersion({ family, artefactVersion }: KernelsDescriptor): void {
  if (artefactVersion !== ARTEFACT_VERSION)
    throw new KernelError({
      operation: `@metile/${family}`,
      expected: `kernels of artefact version ${ARTEFACT_VERSION}, which this @metile/runtime runs`,
      received: `version ${artefactVersion}`,
      hint: `Install versions of @metile/${family} and @metile/runtime that go together.`,
    });
}

/** The path of a package's CPU library for a device's instruction set. */
export function libraryPath({ family, directory }: KernelsDescriptor, device: Device): string {
  const { level } = device.info;
  const target = `${process.platform}-${process.arch}`;
  const extension = process.platform === "darwin" ? "dylib" : "so";
  const name = process.arch === "arm64" ? `${family}-${target}` : `${family}-${target}-${level}`;
  const path = fileURLToPath(new URL(`${name}.${extension}`, directory));
  if (existsSync(path)) return path;
  throw new DeviceError({
    operation: `@metile/${family}`,
    expected: `the kernel library ${path}`,
    received: "no such file",
    hint: `Install @metile/${family} again (${describePlatform()}); in a checkout, build it with the compiler that pnpm installs.`,
  });
}

function textOf({ family, sources }: KernelsDescriptor, file: string): string {
  const text = sources[file];
  if (text !== undefined) return text;
  throw new KernelError({ operation: `@metile/${family}`, expected: `the text of ${file}`, received: "none" });
}

/** The CUDA C++ of a file, as the build wrote it: rewriting takes longer than compiling what is on disk already. */
function cudaTextOf({ family, directory }: KernelsDescriptor, file: string): string {
  const path = fileURLToPath(new URL(`../cuda/${file.replace(/\.metal$/, ".cu")}`, directory));
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new KernelError({
      operation: `@metile/${family}`,
      expected: `the CUDA text ${path}`,
      received: (cause as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : (cause as Error).message,
      hint: `Install @metile/${family} again (${describePlatform()}).`,
      cause,
    });
  }
}

/** A file of a package as GPUs take it. */
export function textsOf(descriptor: KernelsDescriptor, file: string): GpuTexts {
  return { metal: () => textOf(descriptor, file), cuda: () => cudaTextOf(descriptor, file) };
}

/** The entry of a variant: values of its macros, in order, after the name: rms_norm_forward__bfloat_float. */
export function entryName(kernel: KernelReflection, macros: Readonly<Record<string, string>>): string {
  const values = kernel.macros.map((name) => macros[name]);
  return values.length === 0 ? kernel.name : `${kernel.name}__${values.join("_")}`;
}

function asKernelError<Result>(operation: string, expected: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== "METILE_KERNEL" && code !== "METILE_LIBRARY") throw cause;
    throw new KernelError({ operation, expected, received: message, cause });
  }
}

/**
 * Makes a package's kernels callable. The build calls it in the module that it generates. A CPU's library loads at the
 * first launch; a GPU is given the text of a file at the first launch of one of its kernels, and compiles a variant for
 * each set of types, launcher's macros and threads that it meets.
 *
 * @throws KernelError when the package was built for another runtime
 */
export function defineKernels<Kernels>(descriptor: KernelsDescriptor): Kernels {
  checkVersion(descriptor);
  registerKernels(descriptor);
  const libraries = new Map<Device, number>();
  const library = (device: Device): number => {
    let number = libraries.get(device);
    if (number === undefined) {
      const path = libraryPath(descriptor, device);
      number = asKernelError(`@metile/${descriptor.family}`, `a kernel library in ${path}`, () =>
        device.native.loadLibrary(path),
      );
      libraries.set(device, number);
    }
    return number;
  };
  const sources = new Map<string, GpuSource>();
  const source = ({ file }: KernelReflection): GpuSource => {
    let known = sources.get(file);
    if (known === undefined) {
      const together = descriptor.kernels.filter((kernel) => kernel.file === file);
      known = new GpuSource(file, textsOf(descriptor, file), typeMacrosOf(together));
      sources.set(file, known);
    }
    return known;
  };
  const kernels: Record<string, BoundKernel> = {};
  for (const kernel of descriptor.kernels)
    kernels[camelCase(kernel.name)] = bindKernel(kernel, (device, reflection, macros, gpu) =>
      gpu !== undefined
        ? source(kernel).kernel(device, kernel.name, macros, gpu)
        : asKernelError(kernel.name, `a variant for ${JSON.stringify(macros)}`, () =>
            device.native.kernel(library(device), entryName(reflection, macros)),
          ),
    );
  return kernels as Kernels;
}
