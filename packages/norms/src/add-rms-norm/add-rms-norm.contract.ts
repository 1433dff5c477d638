import type { PairContract } from "@metile/runtime/family";
import { castingOption, epsilonOption, floating, mostColumns, offsetOption, tolerances } from "../shared/contract.js";

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
    epsilon: epsilonOption,
    offset: offsetOption,
    casting: castingOption,
    sum: {
      kind: "choice",
      default: "native",
      choices: ["native", "rounded"],
      summary: "native: the float32 sum is normalised; rounded: the sum as the residual output holds it",
    },
  },
  bounds: { columns: mostColumns },
  determinism: "bitwise",
  tolerances,
} as const satisfies PairContract;
