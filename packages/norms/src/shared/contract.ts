import type { Dtype, OptionContract, Tolerance } from "@metile/runtime/family";

/** Elements of a row past this are refused. */
export const mostColumns = 65_536;

/** The types of rows and parameters. */
export const floating = ["float32", "float16", "bfloat16"] as const satisfies readonly Dtype[];

/** epsilon of the root mean square. */
export const epsilonOption = {
  kind: "number",
  default: 1e-5,
  above: 0,
  summary: "added to the mean square, inside the root",
} as const satisfies OptionContract;

/** What is added to the weight. */
export const offsetOption = {
  kind: "number",
  default: 0,
  summary: "added to the weight in float32; 1 for Gemma",
} as const satisfies OptionContract;

/** Where values are rounded to the source's type. */
export const castingOption = {
  kind: "choice",
  default: "gemma",
  choices: ["gemma", "llama"],
  summary: "gemma: one rounding, at the end; llama: what rstd scales is rounded to the source's type first",
} as const satisfies OptionContract;

/** Float32 arithmetic and one rounding. */
export const tolerances = {
  float32: { relative: 1e-5, absolute: 1e-6 },
  float16: { steps: 1 },
  bfloat16: { steps: 1 },
} as const satisfies Partial<Record<Dtype, Tolerance>>;
