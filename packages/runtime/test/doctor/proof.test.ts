import { describe, expect, it } from "vitest";
import { proofs } from "../../src/doctor/checks/proof.js";
import type { Family } from "../../src/doctor/families.js";
import { compareResults, toleranceBetween } from "../../src/doctor/proof/compare.js";
import { pairsOf } from "../../src/doctor/proof/pairs.js";
import type { Results } from "../../src/doctor/proof/trial.js";
import type { Context, Outcome } from "../../src/doctor/types.js";
import type { PairContract } from "../../src/family.js";
import * as runtime from "../../src/index.js";
import { definePair, device, type Tensor } from "../../src/index.js";
import { repeat, swap } from "../support/pairs.js";

const contract = {
  name: "same",
  family: "test",
  summary: "The source itself.",
  formula: "",
  gradients: {},
  source: "",
  inputs: {
    source: { shape: "(…, columns)", differentiable: true, dtypes: ["float32", "float16", "bfloat16"], summary: "" },
  },
  outputs: { output: { shape: "(…, columns)", summary: "" } },
  options: {},
  bounds: {},
  determinism: "bitwise",
  tolerances: { float32: { relative: 1e-5, absolute: 1e-6 }, float16: { steps: 1 } },
} as const satisfies PairContract;

type Mistake = "none" | "gradient" | "bits" | "throws";

/** The identity, with a mistake. */
function same(mistake: Mistake, changes: Partial<PairContract> = {}) {
  let calls = 0;
  return definePair<[source: Tensor], "output", "source", object, null>({
    contract: { ...contract, ...changes },
    forward({ inputs }) {
      if (mistake === "throws") throw new Error("planted");
      calls += 1;
      const source = inputs.source as Tensor;
      const output =
        mistake === "bits" && calls % 2 === 0
          ? runtime.zeros(source.shape, source.dtype, source.device)
          : source.clone();
      return { outputs: { output }, save: { source }, state: null };
    },
    backward({ cotangents, require, gradientDtype }) {
      const cotangent = cotangents.output as Tensor;
      const wrong =
        mistake === "gradient" ? runtime.full(cotangent.shape, 0.01, cotangent.dtype, cotangent.device) : cotangent;
      return { source: wrong.cast(gradientDtype(require("source").dtype)) };
    },
  });
}

const familyOf = (exports: Record<string, unknown>): Family => ({
  name: "test",
  version: "1.0.0",
  exports,
  runtime,
  runtimeVersion: runtime.version,
});

async function outcomes(exports: Record<string, unknown>, quick = false): Promise<Record<string, Outcome>> {
  const context: Context = {
    options: { devices: [], quick },
    folder: "",
    families: [familyOf(exports)],
    devices: [device("cpu")],
  };
  const all: Record<string, Outcome> = {};
  for (const check of proofs(context)) all[check.name] = await check.run(device("cpu"), context);
  return all;
}

/** What comes of one pair. */
async function outcomeOf(pair: ReturnType<typeof same>, quick = false): Promise<Outcome> {
  const [outcome] = Object.values(await outcomes({ pair }, quick));
  if (outcome === undefined) throw new Error("there was no check");
  return outcome;
}

describe("proof of a pair", () => {
  it("passes what is right, in every type and at both sizes, with a derivative", async () => {
    const outcome = await outcomeOf(same("none"));
    expect(outcome).toMatchObject({ status: "passed", problems: [] });
    expect(outcome.details.trials).toHaveLength(6);
    const { numeric, analytic } = outcome.details.derivative as { numeric: number; analytic: number };
    expect(Math.abs(numeric - analytic)).toBeLessThan(1e-2);
    expect(Math.abs(analytic)).toBeGreaterThan(1);
  });

  it("is of float32 at one size when quick", async () => {
    const outcome = await outcomeOf(same("none"), true);
    expect(outcome.details.trials).toHaveLength(1);
  });

  it("fails for a gradient that is not the derivative", async () => {
    const outcome = await outcomeOf(same("gradient"));
    expect(outcome.status).toBe("failed");
    expect(outcome.problems[0]).toMatch(/^the derivative along a random direction is -?[\d.]+ by differences and/);
  });

  it("fails for other bits in a second run", async () => {
    const outcome = await outcomeOf(same("bits"));
    expect(outcome.status).toBe("failed");
    expect(outcome.problems.join("\n")).toContain("output: other bits in a second run (float32, source [3,5,64])");
  });

  it("fails for what throws, and tries the other types", async () => {
    const outcome = await outcomeOf(same("throws"));
    expect(outcome.problems).toHaveLength(6);
    expect(outcome.problems[0]).toBe("float32: planted");
  });

  it("tries pairs of several outputs and optional inputs, and leaves inputs without gradient out", async () => {
    const all = await outcomes({ repeat, swap, version: "1", helper: () => 3 });
    expect(Object.keys(all)).toEqual(["proof of repeat", "proof of swap"]);
    for (const outcome of Object.values(all)) expect(outcome).toMatchObject({ status: "passed", problems: [] });
  });

  it("skips with the reason what it cannot make values for", async () => {
    const { source } = contract.inputs;
    const words = { inputs: { source: { ...source, shape: "as you like" } } };
    const whole = { inputs: { source, targets: { ...source, dtypes: ["int32"] as const, differentiable: false } } };
    const flat = { inputs: { source: { ...source, differentiable: false } } };
    const reasons = async (changes: Partial<PairContract>) => {
      const outcome = await outcomeOf(same("none", changes));
      return [outcome.status, outcome.summary];
    };
    expect(await reasons(words)).toEqual(["skipped", "the shape of its input source is in words: as you like"]);
    expect(await reasons(whole)).toEqual(["skipped", "its input targets has no floating type"]);
    expect(await reasons(flat)).toEqual(["skipped", "none of its inputs has a gradient"]);
    expect((await outcomes({})).proof).toMatchObject({ status: "skipped" });
  });
});

describe("a device against the CPU", () => {
  const values = (numbers: number[], dtype: "float32" | "float16" = "float32") => ({
    values: Float64Array.from(numbers),
    shape: [numbers.length],
    dtype,
  });
  const results = (output: number[], source: number[], dtype: "float32" | "float16" = "float32"): Results => ({
    outputs: { output: values(output, dtype) },
    gradients: { source: values(source) },
  });
  const problems = (seen: Results, expected: Results) =>
    compareResults(contract, seen, expected).flatMap(({ problem }) => problem ?? []);

  it("float32 may be off by twice the tolerance, half types by a step", () => {
    expect(problems(results([1, 2], [3, 4]), results([1.00001, 2], [3, 4.00007]))).toEqual([]);
    expect(problems(results([1, 2], [3, 4]), results([1.00003, 2], [3, 4.0001]))).toHaveLength(2);
    expect(problems(results([1], [3], "float16"), results([1 + 2 ** -10], [3], "float16"))).toEqual([]);
    expect(problems(results([1], [3], "float16"), results([1 + 2 ** -9], [3], "float16"))).toHaveLength(1);
  });

  it("names what is off, what is missing and what has another type", () => {
    const [off] = problems(results([1, 2], [3, 4]), results([1, 2.5], [3, 4]));
    expect(off).toContain("output, ComparisonError: index 1: got 2, wanted 2.5");
    expect(problems({ outputs: {}, gradients: {} }, results([1], [2]))).toEqual([
      "output: there is none",
      "gradient of source: there is none",
    ]);
    const [other] = problems(results([1], [2], "float16"), results([1], [2]));
    expect(other).toBe("output: float16 [1] where the CPU gives float32 [1]");
    expect(problems(results([Number.NaN], [1]), results([1], [1]))).toHaveLength(1);
  });

  it("sums over rows have ten times the absolute part", () => {
    expect(toleranceBetween(contract, "float32", false)).toEqual({ relative: 2e-5, absolute: 2e-6 });
    expect(toleranceBetween(contract, "float32", true).absolute).toBeCloseTo(2e-5, 12);
    expect(toleranceBetween(contract, "bfloat16", false)).toEqual({ steps: 1, absolute: 2e-6 });
  });
});

it("pairs are found among anything that a family exports", () => {
  const found = pairsOf([familyOf({ repeat, number: 3, nothing: undefined, shape: { contract } })]);
  expect(found.map(({ pair }) => pair.contract.name)).toEqual(["repeat"]);
});
