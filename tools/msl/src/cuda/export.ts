import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readKernelFile } from "../kernel/file.js";
import { type GpuMacros, gpuVariants, LAUNCH_MACROS } from "../lint/macros.js";
import { SourceLoader } from "../preprocess/include.js";
import { inlineIncludes } from "../preprocess/inline.js";
import { writeCuda } from "./cuda.js";
import type { CudaKernel } from "./entry.js";
import { writeCudaPrelude } from "./prelude.js";

/** A text that {@link exportCuda} wrote. */
export interface ExportedText {
  /** Of the file in the folder. */
  readonly file: string;
  readonly kernels: readonly CudaKernel[];
  /** Every variant of types times every setting of launchers: what -D defines. */
  readonly variants: readonly GpuMacros[];
}

/**
 * Writes the CUDA texts of files into a folder, each with the prelude in front, and `texts.json`, which tells of their
 * kernels and variants: enough to compile them on a machine that has NVRTC and nothing of this repository.
 *
 * @param runtime - folder of @metile/runtime
 */
export function exportCuda(files: readonly string[], runtime: string, folder: string): ExportedText[] {
  const prelude = writeCudaPrelude(join(runtime, "targets", "cuda"));
  const loader = new SourceLoader(join(runtime, "msl"));
  mkdirSync(folder, { recursive: true });
  const texts = files.map((path): ExportedText => {
    const source = loader.load(path);
    const read = readKernelFile(source, loader);
    const { text, kernels } = writeCuda(inlineIncludes(source, loader), source.name);
    const file = `${basename(path, ".metal")}.cu`;
    writeFileSync(join(folder, file), prelude + text);
    // a compile defines all type macros, those that do not matter as float
    const undecided = Object.fromEntries(read.typeMacros.map(({ name }) => [name, "float"]));
    const variants = gpuVariants(read).flatMap((types) =>
      LAUNCH_MACROS.map((launch) => completed(undecided, types, launch)),
    );
    return { file, kernels, variants };
  });
  writeFileSync(join(folder, "texts.json"), `${JSON.stringify(texts, null, 1)}\n`);
  return texts;
}

function completed(undecided: GpuMacros, types: GpuMacros, launch: GpuMacros): GpuMacros {
  return { ...undecided, ...types, ...launch, METILE_THREADS: launch.ROW_THREADS as string };
}
