import { readGpuView } from "../kernel/file.js";
import { SourceLoader } from "../preprocess/include.js";
import { Source } from "../text/source.js";
import { type CudaKernel, writeEntry } from "./entry.js";
import { namingFiles } from "./place.js";
import { rewriteText } from "./rewrite.js";

/** The CUDA C++ of a `.metal` text, to be compiled behind the prelude. */
export interface CudaText {
  readonly text: string;
  /** In the order of the text. */
  readonly kernels: readonly CudaKernel[];
}

/**
 * Writes the CUDA C++ of a text: what NVRTC compiles behind the prelude (targets/cuda of the runtime), with the macros of a
 * launcher given by -D, under the options that the prelude names.
 *
 * @param source - Metal with quoted includes in place, macros and conditions as they were written
 * @param fileName - the file in messages, where `#line` directives of the text name no other
 * @throws MslError for what is no Metal that tools know; it names the file and line that people wrote
 *
 * @example
 * ```ts
 * const { text, kernels } = writeCuda(sources["rms_norm.metal"], "src/rms_norm.metal");
 * ```
 */
export function writeCuda(source: Source | string, fileName: string): CudaText {
  const own = typeof source === "string" ? source : source.text;
  const whole = new Source("metile-cuda-text", `#line 1 ${JSON.stringify(fileName)}\n${own}`);
  return namingFiles(whole, () => {
    const { kernels, syntax, aliases } = readGpuView(whole, new SourceLoader(""));
    const entries = kernels.map((kernel, index) =>
      writeEntry(syntax[index] as (typeof syntax)[number], kernel, aliases),
    );
    const text = [
      "namespace metal {\n",
      rewriteText(whole),
      `\n#line 1 ${JSON.stringify(`entries of ${fileName}`)}\n`,
      // of the same names as the functions that they call
      "namespace metile_entries {\n",
      ...entries.map((entry) => entry.text),
      "}\n}\n",
    ].join("");
    return { text, kernels: entries.map(({ kernel }) => kernel) };
  });
}
