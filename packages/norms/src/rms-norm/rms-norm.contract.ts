import type { PairContract } from "@metile/runtime/family";
import { castingOption, epsilonOption, floating, mostColumns, offsetOption, tolerances } from "../shared/contract.js";

/** What rmsNorm computes, as data. */
export const rmsNormContract = {
  name: "rmsNorm",
  family: "norms",
  summary: "Scales each row to unit root mean square, then multiplies by offset + weight.",
  formula: "rstd = 1 / sqrt(mean(source²) + epsilon); output = source · rstd · (offset + weight)",
  gradients: {
    source: "rstd · m - rstd³ / columns · source · sum(m · source), m = cotangent · (offset + weight)",
    weight: "sum over rows of cotangent · source · rstd",
  },
  source: "Zhang and Sennrich, Root Mean Square Layer Normalization, 2019",
  inputs: {
    source: {
      shape: "(…, columns)",
      differentiable: true,
      dtypes: floating,
      summary: "the rows",
    },
    weight: {
      shape: "(columns)",
      differentiable: true,
      optional: true,
      dtypes: floating,
      summary: "the scale of each column; left out: 1, and offset has no effect",
    },
  },
  outputs: { output: { shape: "(…, columns)", summary: "the normalised rows, in the source's type" } },
  options: {
    epsilon: epsilonOption,
    offset: offsetOption,
    casting: castingOption,
  },
  bounds: { columns: mostColumns },
  determinism: "bitwise",
  tolerances,
} as const satisfies PairContract;
