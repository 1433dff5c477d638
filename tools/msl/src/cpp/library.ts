import type { KernelFile } from "../kernel/file.js";
import { CPU_DEFINES } from "../kernel/file.js";
import type { SourceLoader } from "../preprocess/include.js";
import { inlineIncludes } from "../preprocess/inline.js";
import { Source } from "../text/source.js";
import { planNamespaces, type Variant, writeNamespace } from "./variant.js";

/** Version of what a library and a runtime agree on: entries, their argument and their names. */
export const ARTEFACT_VERSION = 2;

/** The C++ of a CPU library. */
export interface LibraryText {
  readonly text: string;
  readonly variants: readonly Variant[];
}

const PRELUDE = `${Object.entries(CPU_DEFINES)
  .map(([name, value]) => `#define ${name} ${value}\n`)
  .join("")}#include <metile_launch.h>
#include <metal_stdlib>
#define METILE_KERNEL static inline __attribute__((always_inline))
// threads are independent of each other, so that a loop over them may be reordered
#ifdef __clang__
#define METILE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define METILE_INDEPENDENT _Pragma("GCC ivdep")
#endif
extern "C" const uint32_t metile_artefact_version = ${ARTEFACT_VERSION};
template <typename T> METILE_KERNEL T metile_constant(const void* bytes) {
  T value;
  __builtin_memcpy(&value, bytes, sizeof value);
  return value;
}
`;

/**
 * Writes the C++ of a family: shared headers once, then every file's text for each combination of its type macros.
 *
 * @param chosen - keeps only variants that it accepts @default all
 */
export function writeLibrary(
  files: readonly KernelFile[],
  loader: SourceLoader,
  chosen?: (variant: Variant) => boolean,
): LibraryText {
  const headers = new Set(files.flatMap(({ unit }) => unit.headers));
  const root = new Source("headers", [...headers].map(({ name }) => `#include "${name}"\n`).join(""));
  const parts = [PRELUDE, inlineIncludes(root, loader)];
  const variants: Variant[] = [];
  let number = 0;
  for (const file of files) {
    for (const namespace of planNamespaces(file, chosen)) {
      parts.push(writeNamespace(file, namespace, number));
      variants.push(...namespace.variants);
      number += 1;
    }
  }
  return { text: parts.join(""), variants };
}
