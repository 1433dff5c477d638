import type { PairContract } from "@metile/runtime/family";

/** Columns past this are refused. */
export const mostColumns = 65_536;

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
      dtypes: ["float32", "float16", "bfloat16"],
      summary: "the rows",
    },
    weight: {
      shape: "(columns)",
      differentiable: true,
      optional: true,
      dtypes: ["float32", "float16", "bfloat16"],
      summary: "the scale of each column; left out: 1, and offset has no effect",
    },
  },
  outputs: { output: { shape: "(…, columns)", summary: "the normalised rows, in the source's type" } },
  options: {
    epsilon: { kind: "number", default: 1e-5, above: 0, summary: "added to the mean square, inside the root" },
    offset: { kind: "number", default: 0, summary: "added to the weight in float32; 1 for Gemma" },
    casting: {
      kind: "choice",
      default: "gemma",
      choices: ["gemma", "llama"],
      summary: "gemma: one rounding, at the end; llama: source · rstd is rounded to the source's type first",
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
