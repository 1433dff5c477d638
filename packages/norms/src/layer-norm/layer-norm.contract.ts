import type { PairContract } from "@metile/runtime/family";
import { epsilonOption, floating, mostColumns, tolerances } from "../shared/contract.js";

/** What layerNorm computes, as data. */
export const layerNormContract = {
  name: "layerNorm",
  family: "norms",
  summary: "Centres each row and scales it to unit variance, then applies weight and bias.",
  formula:
    "mean = mean(source); rstd = 1 / sqrt(mean((source - mean)²) + epsilon); output = (source - mean) · rstd · weight + bias",
  gradients: {
    source: "rstd · (g - mean(g) - x · mean(x · g)), g = cotangent · weight, x = (source - mean) · rstd",
    weight: "sum over rows of cotangent · x",
    bias: "sum over rows of cotangent",
  },
  source: "Ba, Kiros and Hinton, Layer Normalization, 2016",
  inputs: {
    source: { shape: "(…, normalizedShape)", differentiable: true, dtypes: floating, summary: "the rows" },
    weight: {
      shape: "normalizedShape",
      differentiable: true,
      optional: true,
      dtypes: floating,
      summary: "the scale of each column; left out: 1",
    },
    bias: {
      shape: "normalizedShape",
      differentiable: true,
      optional: true,
      dtypes: floating,
      summary: "added to each column; left out: 0",
    },
  },
  outputs: { output: { shape: "(…, normalizedShape)", summary: "the normalised rows, in the source's type" } },
  options: {
    epsilon: { ...epsilonOption, summary: "added to the variance, inside the root" },
    normalizedShape: {
      kind: "shape",
      default: undefined,
      summary: "the trailing dimensions that make a row; the last one by default",
    },
  },
  bounds: { columns: mostColumns },
  determinism: "bitwise",
  tolerances,
} as const satisfies PairContract;
