import type { KernelFile } from "../kernel/file.js";
import { type KernelSyntax, parseKernels } from "../kernel/parse.js";
import type { ExpandedToken } from "../preprocess/expand.js";
import type { SourceLoader } from "../preprocess/include.js";
import { preprocess } from "../preprocess/preprocess.js";
import { type GpuMacros, gpuVariants, LAUNCH_MACROS } from "./macros.js";

/** A file as the compiler of a GPU sees it with one set of macros, shared headers included. */
export interface View {
  readonly macros: GpuMacros;
  readonly tokens: readonly ExpandedToken[];
  readonly kernels: readonly KernelSyntax[];
}

/**
 * The views of a file with every variant of its types and every combination of launch macros; those that come to the same
 * tokens are one.
 */
export function readViews(file: KernelFile, loader: SourceLoader): View[] {
  const views = new Map<string, View>();
  for (const types of gpuVariants(file)) {
    for (const launch of LAUNCH_MACROS) {
      const macros = { ...types, ...launch };
      const defines = { __METAL_VERSION__: "310", ...macros };
      const { tokens } = preprocess(file.source, { loader, defines, opaque: new Set(), whole: true });
      const text = tokens.map((token) => token.text).join("\n");
      if (!views.has(text)) views.set(text, { macros, tokens, kernels: parseKernels(tokens) });
    }
  }
  return [...views.values()];
}
