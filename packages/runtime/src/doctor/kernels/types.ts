import { combinations, KNOWN_TYPE_MACROS, type MacroValues, type TypeMacro } from "@metile/msl";
import type { KernelReflection } from "../../kernel/types.js";

/** What a device makes of kernels, as far as their types go. */
export interface TypeChoice {
  readonly gpu: boolean;
  readonly bfloat: boolean;
  /** float alone. */
  readonly quick: boolean;
}

const declaration = /^[ \t]*#[ \t]*pragma[ \t]+metile[ \t]+type[ \t]+(\w+)[ \t]*\(([^)]*)\)/gm;

/** The type macros of a text: the known ones, and those that it declares. */
function typeMacrosIn(text: string): TypeMacro[] {
  const declared = [...text.matchAll(declaration)].map(([, name = "", values = ""]) => ({
    name,
    values: values.split(",").map((value) => value.trim()),
  }));
  return [...KNOWN_TYPE_MACROS, ...declared];
}

/** GPUs take parameters as they come; CPU libraries hold them in float alone. */
function forGpu(macro: TypeMacro): TypeMacro {
  return macro.name === "PARAMETER" ? { ...macro, values: ["STORAGE", "float"] } : macro;
}

/**
 * Every combination of types that a kernel meets on a device.
 *
 * @param text - the text of its file
 */
export function typesOf(kernel: KernelReflection, text: string, { gpu, bfloat, quick }: TypeChoice): MacroValues[] {
  const macros = typeMacrosIn(text).map((macro) => (gpu ? forGpu(macro) : macro));
  return combinations(macros, kernel.macros).filter((values) => {
    const used = [...Object.values(values), ...kernel.buffers.map(({ element }) => element)];
    if (!bfloat && used.includes("bfloat")) return false;
    return !quick || Object.values(values).every((value) => value === "float");
  });
}
