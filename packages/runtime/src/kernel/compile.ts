import { fileURLToPath } from "node:url";
import {
  compileAtRuntimeSync,
  inlineIncludes,
  type Level,
  MslError,
  NoCompilerError,
  readKernelFile,
  Source,
  SourceLoader,
  writeCuda,
} from "@metile/msl";
import { ArgumentError, KernelError, MetileError } from "../errors/index.js";
import { type BoundKernel, bindKernel, camelCase } from "./bind.js";
import { entryName } from "./define.js";
import { packageFolder } from "./folder.js";
import { GpuSource } from "./gpu.js";
import type { KernelReflection } from "./types.js";
import type { Resolve } from "./variants.js";

const headers = fileURLToPath(new URL("msl", packageFolder));
const targets = fileURLToPath(new URL("targets", packageFolder));

/** Kernels of a text by camelCase name: `my_kernel` is `kernels.myKernel(buffers, constants, shape)`. */
export type CompiledKernels = Readonly<Record<string, BoundKernel>>;

function explained<Result>(fileName: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof MslError) throw new KernelError({ operation: "compileKernels", hint: cause.message, cause });
    if (cause instanceof NoCompilerError)
      throw new KernelError({
        operation: fileName,
        expected: "a C++ compiler, for kernels that are made at run time on the CPU",
        received: "none",
        hint: cause.message,
        cause,
      });
    if (cause instanceof MetileError) throw cause;
    throw new KernelError({ operation: fileName, hint: (cause as Error).message, cause });
  }
}

/**
 * Kernels from Metal Shading Language at run time, on the same footing as a package's own: shared headers by
 * `#include "metile/row.h"`, type macros (STORAGE, …), checked and typed launches.
 *
 * The text is read at the call. A variant is compiled for a device at its first launch. On the CPU that takes a C++ compiler
 * and about half a second, and every later process finds it in a cache folder (`METILE_CACHE`, or `~/.cache/metile`); a GPU's
 * driver compiles and keeps it. On a GPU a launch says how many threads a threadgroup has (1 by default), and how many bytes
 * each threadgroup argument.
 *
 * Buffers must be contiguous: a kernel of your own is not told of strides. An integer division by zero ends the process on
 * a CPU, where a GPU would give some number.
 *
 * @param text - MSL with one or more kernels
 * @param fileName - the name in messages
 * @returns the kernels by camelCase name
 * @throws KernelError for a text that is not right, with line and column; at the first launch, where the machine has no C++
 * compiler or the compiler refuses the text
 * @example
 * const { twice } = compileKernels(`
 *   #include <metal_stdlib>
 *   using namespace metal;
 *   kernel void twice(device const float* source [[buffer(0)]], device float* target [[buffer(1)]],
 *                      constant uint& count [[buffer(2)]], uint index [[thread_position_in_grid]]) {
 *     if (index >= count) return;
 *     target[index] = 2.0f * source[index];
 *   }`);
 * twice({ source, target }, { count: source.size }, { groups: source.size });
 */
export function compileKernels(text: string, fileName = "kernel.metal"): CompiledKernels {
  if (typeof text !== "string")
    throw new ArgumentError({
      operation: "compileKernels",
      argument: "text",
      expected: "a string",
      received: typeof text,
    });
  const { reflections, source } = explained(fileName, () => {
    const loader = new SourceLoader(headers);
    const file = readKernelFile(loader.add(new Source(fileName, text)), loader);
    const typeMacros = file.typeMacros.map(({ name }) => name);
    return {
      reflections: file.kernels as readonly KernelReflection[],
      source: new GpuSource(
        fileName,
        {
          metal: () => inlineIncludes(file.source, loader),
          cuda: () => writeCuda(inlineIncludes(file.source, loader), fileName).text,
        },
        typeMacros,
      ),
    };
  });
  if (reflections.length === 0)
    throw new KernelError({ operation: "compileKernels", argument: "text", expected: "a kernel", received: "none" });
  const resolve: Resolve = (device, kernel, macros, gpu) =>
    explained(kernel.name, () => {
      if (gpu !== undefined) return source.kernel(device, kernel.name, macros, gpu);
      const level = device.info.level as Level;
      const { path } = compileAtRuntimeSync({ text, fileName, headers, targets, level, variants: [macros] });
      return device.native.kernel(device.native.loadLibrary(path), entryName(kernel, macros));
    });
  return Object.fromEntries(reflections.map((kernel) => [camelCase(kernel.name), bindKernel(kernel, resolve, true)]));
}
