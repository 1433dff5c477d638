// Two pairs made of tensor methods alone: enough to see what definePair checks, keeps and disposes of.

import { addParts, type PairContract } from "../../src/family.js";
import type { CommonOptions, Tensor } from "../../src/index.js";
import { definePair, zeros } from "../../src/index.js";

const floating = ["float32", "float16", "bfloat16"] as const;

/** Facts that every contract has and no test here looks at. */
const rest = {
  family: "test",
  formula: "",
  gradients: {},
  source: "",
  bounds: {},
  determinism: "bitwise",
  tolerances: {},
} as const;

const repeatContract = {
  ...rest,
  name: "repeat",
  summary: "A row, many times.",
  inputs: { source: { shape: "(columns)", differentiable: true, dtypes: floating, summary: "the row" } },
  outputs: { output: { shape: "(count, columns)", summary: "the rows" } },
  options: {
    count: { kind: "number", default: 2, above: 0, summary: "how many times" },
    exact: { kind: "boolean", default: true, summary: "unused" },
    order: { kind: "choice", default: "up", choices: ["up", "down"], summary: "unused" },
    grid: { kind: "shape", default: undefined, summary: "unused" },
  },
} as const satisfies PairContract;

export interface RepeatOptions extends CommonOptions {
  readonly count?: number;
  readonly exact?: boolean;
  readonly order?: "up" | "down";
  readonly grid?: readonly number[];
}

interface Completed {
  readonly count: number;
}

/** What the implementation was last given, for tests to look at. */
export const seen: { options?: unknown; wanted?: ReadonlySet<string>; temporaries: Tensor[] } = { temporaries: [] };

/** (columns) → (count, columns). Its gradient is the sum over the rows. */
export const repeat = definePair<[source: Tensor, options?: RepeatOptions], "output", "source", Completed, null>({
  contract: repeatContract,
  forward({ inputs, options, wanted }) {
    seen.options = options;
    seen.wanted = wanted;
    const source = inputs.source as Tensor;
    const wide = source.expand([options.count, source.size]);
    seen.temporaries.push(wide);
    return { outputs: { output: wide.clone() }, save: wanted.has("source") ? { source } : {}, state: null };
  },
  backward({ require, cotangents, gradientDtype, wanted }) {
    seen.wanted = wanted;
    if (!wanted.has("source")) return {};
    const source = require("source");
    const cotangent = cotangents.output as Tensor;
    const parts = cotangent.cast("float32").reshape([cotangent.shape[0] as number, 1, source.size]);
    return { source: addParts(parts as Tensor<"float32">, 0, source.shape, gradientDtype(source.dtype)) };
  },
});

const swapContract = {
  ...rest,
  name: "swap",
  summary: "Two tensors in the other order.",
  inputs: {
    first: { shape: "(…)", differentiable: true, dtypes: floating, summary: "the right output" },
    second: { shape: "(…)", differentiable: true, optional: true, dtypes: floating, summary: "the left output" },
    flags: { shape: "(…)", differentiable: false, optional: true, dtypes: ["bool", "int32"], summary: "unused" },
  },
  outputs: { left: { shape: "(…)", summary: "second, or zeros" }, right: { shape: "(…)", summary: "first" } },
  options: {},
} as const satisfies PairContract;

/** Where the implementation of {@link swap} is to fail. */
export const failure: { at?: "forward" | "backward" | "no gradient" | "no output" | undefined } = {};

function failAt(stage: "forward" | "backward"): void {
  if (failure.at === stage) throw new Error(`failed in ${stage}`);
}

/** (first, second) → { left: second, right: first }. What it returns are the callers' own handles wherever that is possible. */
export const swap = definePair<
  [first: Tensor, second?: Tensor | null, flags?: Tensor | null, options?: CommonOptions],
  "left" | "right",
  "first" | "second",
  object,
  { shape: readonly number[] }
>({
  contract: swapContract,
  forward({ inputs }) {
    const first = inputs.first as Tensor;
    const left = inputs.second ?? zeros(first.shape, first.dtype);
    first.clone(); // a temporary
    failAt("forward");
    const outputs = failure.at === "no output" ? { left } : { left, right: first };
    return {
      outputs: outputs as { left: Tensor; right: Tensor },
      save: { first, second: inputs.second },
      state: { shape: first.shape },
    };
  },
  backward({ cotangents, saved, state, wanted, gradientDtype }) {
    const gradient = (cotangent: Tensor | undefined, input: Tensor | undefined): Tensor | undefined => {
      if (input === undefined) return undefined;
      const dtype = gradientDtype(input.dtype);
      if (cotangent === undefined) return zeros(state.shape, dtype);
      return cotangent.dtype === dtype ? cotangent : cotangent.cast(dtype);
    };
    zeros(state.shape); // a temporary
    failAt("backward");
    const second = wanted.has("second") ? gradient(cotangents.left, saved("second")) : undefined;
    const first =
      wanted.has("first") && failure.at !== "no gradient" ? gradient(cotangents.right, saved("first")) : undefined;
    return { ...(first && { first }), ...(second && { second }) };
  },
});
