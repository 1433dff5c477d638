import type { PairContract } from "@metile/runtime/family";

/** Columns past this are refused. */
export const mostColumns = 65_536;

const floating = ["float32", "float16", "bfloat16"] as const;

/** What addRmsNorm computes, as data. */
export const addRmsNormContract = {
  name: "addRmsNorm",
  family: "norms",
  summary: "Adds a residual to each row and normalises the sum by its root mean square; gives both.",
  formula:
    "residual' = source + residual; rstd = 1 / sqrt(mean(residual'²) + epsilon); output = residual' · rstd · (offset + weight)",
  gradients: {
    source:
      "rstd · m - rstd³ / columns · residual' · sum(m · residual') + cotangent of residual', m = cotangent · (offset + weight)",
    residual: "as source",
    weight: "sum over rows of cotangent · residual' · rstd",
  },
  source: "Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, after a residual connection",
  inputs: {
    source: { shape: "(…, columns)", differentiable: true, dtypes: floating, summary: "what a block adds" },
    residual: {
      shape: "(…, columns)",
      differentiable: true,
      dtypes: floating,
      summary: "the stream, of the source's type",
    },
    weight: {
      shape: "(columns)",
      differentiable: true,
      optional: true,
      dtypes: floating,
      summary: "the scale of each column; left out: 1, and offset has no effect",
    },
  },
  outputs: {
    output: { shape: "(…, columns)", summary: "the normalised sum, in the source's type" },
    residual: { shape: "(…, columns)", summary: "the sum, in the source's type" },
  },
  options: {
    epsilon: { kind: "number", default: 1e-5, above: 0, summary: "added to the mean square, inside the root" },
    offset: { kind: "number", default: 0, summary: "added to the weight in float32; 1 for Gemma" },
    casting: {
      kind: "choice",
      default: "gemma",
      choices: ["gemma", "llama"],
      summary: "gemma: one rounding, at the end; llama: sum · rstd is rounded to the source's type first",
    },
    sum: {
      kind: "choice",
      default: "native",
      choices: ["native", "rounded"],
      summary: "native: the float32 sum is normalised; rounded: the sum as the residual output holds it",
    },
  },
  bounds: { columns: mostColumns },
  determinism: "bitwise",
  tolerances: {
    float32: { relative: 1e-5, absolute: 1e-6 },
    float16: { steps: 1 },
    bfloat16: { steps: 1 },
  },
} as const satisfies PairContract;
