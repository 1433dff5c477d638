import type { KernelFile } from "../kernel/file.js";
import { combinations, type MacroValues, type TypeMacro } from "../kernel/typemacro.js";

/** What a file is compiled with on a GPU: type macros and the launcher's. */
export type GpuMacros = Readonly<Record<string, string>>;

/**
 * Settings of the row layer (metile/row.h) that together reach each of its branches: one simdgroup and many, packets of
 * every width, tiles narrower than a row and exactly as wide, rows held in registers and read again. The runtime's own
 * launchers (rows/tile.ts there) hold rows and weights; kernels of others need not.
 */
const ROW_SETTINGS = [
  { threads: 32, packets: 1, pack: 1, wide: 1, exact: 0, keep: 1, keepWeight: 1, prefetch: 1 },
  { threads: 256, packets: 2, pack: 4, wide: 0, exact: 0, keep: 1, keepWeight: 0, prefetch: 1 },
  { threads: 256, packets: 1, pack: 8, wide: 0, exact: 1, keep: 1, keepWeight: 1, prefetch: 1 },
  { threads: 1024, packets: 4, pack: 8, wide: 0, exact: 0, keep: 0, keepWeight: 1, prefetch: 1 },
  { threads: 512, packets: 2, pack: 8, wide: 1, exact: 0, keep: 1, keepWeight: 1, prefetch: 0 },
  { threads: 64, packets: 1, pack: 16, wide: 1, exact: 0, keep: 0, keepWeight: 0, prefetch: 0 },
  { threads: 128, packets: 3, pack: 2, wide: 0, exact: 0, keep: 1, keepWeight: 1, prefetch: 0 },
] as const;

/** The macros that a launcher gives a kernel on a GPU, in combinations that reach every branch of shared headers. */
export const LAUNCH_MACROS: readonly GpuMacros[] = ROW_SETTINGS.map((row) => ({
  ROW_THREADS: String(row.threads),
  ROW_PACKETS: String(row.packets),
  ROW_PACK: String(row.pack),
  ROW_WIDE: String(row.wide),
  ROW_EXACT: String(row.exact),
  ROW_KEEP: String(row.keep),
  ROW_KEEP_WEIGHT: String(row.keepWeight),
  ROW_PREFETCH: String(row.prefetch),
}));

/** Values of type macros on a GPU where they differ from those of CPU libraries: it takes parameters as they come. */
const GPU_VALUES: Readonly<Record<string, readonly string[]>> = { PARAMETER: ["STORAGE", "float"] };

/** Every combination of types that a file's kernels meet on a GPU. */
export function gpuVariants({ kernels, typeMacros }: KernelFile): MacroValues[] {
  const used = [...new Set(kernels.flatMap(({ macros }) => macros))];
  const macros = typeMacros.map(({ name, values }): TypeMacro => ({ name, values: GPU_VALUES[name] ?? values }));
  return combinations(macros, used);
}
