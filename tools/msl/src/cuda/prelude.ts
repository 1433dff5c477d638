import { join } from "node:path";
import { SourceLoader } from "../preprocess/include.js";
import { inlineIncludes } from "../preprocess/inline.js";

/**
 * The prelude as one text that needs no file: what a host puts in front of each {@link CudaText}.
 *
 * @param folder - targets/cuda of @metile/runtime
 */
export function writeCudaPrelude(folder: string): string {
  const loader = new SourceLoader(folder);
  return `${inlineIncludes(loader.load(join(folder, "metal_stdlib"), "metal_stdlib"), loader)}\n`;
}
