import type { FloatingDtype } from "@metile/runtime";
import { combinations } from "@metile/runtime/testing";
import type { Case } from "./case.js";

export const floatingTypes = ["float32", "float16", "bfloat16"] as const satisfies readonly FloatingDtype[];

/** A type that is neither the source's nor float32, so that it takes a cast. */
export const otherType = { float32: "bfloat16", float16: "bfloat16", bfloat16: "float16" } as const;

/**
 * Every combination of types: the source's; parameters of the source's type, float32, or another through a cast; cotangents
 * of the source's type or float32; gradients in float32 or their input's type.
 */
export const typeCombinations = floatingTypes.flatMap((source) =>
  combinations({
    source: [source],
    parameter: [...new Set([source, "float32", otherType[source]] as const)],
    cotangent: [...new Set([source, "float32"] as const)],
    gradientType: ["float32", "input"],
  } as const),
) satisfies Partial<Case>[];

/** Widths that fit no vector, and some that do. */
export const widths = [1, 2, 3, 5, 7, 31, 33, 127, 1000, 4097, 8192] as const;
export const rowCounts = [1, 2, 45] as const;
