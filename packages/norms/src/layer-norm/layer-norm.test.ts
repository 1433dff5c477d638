import { tensor } from "@metile/runtime";
import { compare, layouts, Random } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { expectClose, expectDifferences, expectDigits, runners } from "../../test/example.js";
import { layerNormSubject as subject } from "../../test/subjects.js";
import { floatingTypes } from "../../test/types.js";
import { layerNorm } from "./layer-norm.js";

const source = [
  [1, -2, 4],
  [0.5, 3, -1],
];
const weight = [0.5, -1.5, 2];
const bias = [0.1, 0.2, -0.3];
const cotangents = {
  output: [
    [0.4, -0.3, 0.7],
    [1, 0.2, -0.5],
  ],
};

describe.each(runners)("worked examples, $runner", ({ runner, run }) => {
  it("weight and bias", () => {
    const { outputs, gradients } = run(subject, {
      inputs: { source, weight, bias },
      cotangents,
      options: { epsilon: 0.25 },
    });
    expectDigits(runner, outputs.output, [0.1, 2, 2.1, 0.003326351, -1.685136, -2.42682]);
    expectDigits(runner, gradients.source, [-0.1933333, 0.08906667, 0.1042667, 0.466744, -0.1626286, -0.3041154]);
    expectDigits(runner, gradients.weight, [-0.1933473, 0.6113515, 1.371705]);
    expectDigits(runner, gradients.bias, [1.4, -0.1, 0.2]);
  });

  it("a constant row: the bias, and a gradient that is only large", () => {
    const { outputs, gradients } = run(subject, {
      inputs: { source: [[7, 7, 7]], weight, bias },
      cotangents: { output: [[1, 1, 1]] },
      options: { epsilon: 0.25 },
    });
    expectClose(outputs.output, bias);
    const mean = (0.5 - 1.5 + 2) / 3;
    expectClose(
      gradients.source,
      weight.map((value) => (value - mean) / 0.5),
    );
    expectClose(gradients.weight, [0, 0, 0]);
    expectClose(gradients.bias, [1, 1, 1]);
  });

  it("one column: the bias, and a gradient of the source that is 0, not the rounding of a product", () => {
    const { outputs, gradients } = run(subject, {
      inputs: { source: [[5], [-3]], weight: [1.1], bias: [0.5] },
      cotangents: { output: [[0.3], [1.7]] },
    });
    expectClose(outputs.output, [0.5, 0.5]);
    expect(Array.from(gradients.source ?? [], (value) => value + 0)).toEqual([0, 0]);
    expectClose(gradients.bias, [2]);
  });

  it("R07: float16 values whose squares overflow float16", () => {
    const { outputs, gradients } = run(subject, {
      inputs: { source: [[1000, -1000, 1000, -1000]], weight: [1, 1, 1, 1], bias: [0, 0, 0, 0] },
      cotangents: { output: [[1, 0, 0, 0]] },
      options: { epsilon: 1e-5 },
      dtype: "float16",
    });
    expectClose(outputs.output, [1, -1, 1, -1]);
    expectClose(gradients.source, [0.0005, 0, -0.0005, 0]);
    expectClose(gradients.weight, [1, 0, 0, 0]);
    expectClose(gradients.bias, [1, 0, 0, 0]);
  });

  // The inputs are what float32 makes of them, and the numbers follow those.
  it.each([
    { mean: 0, first: -1.3416408, last: 1.3416408, tolerance: 3e-3 },
    { mean: 100, first: -1.3415277, last: 1.3413571, tolerance: 3e-3 },
    { mean: 1000, first: -1.3415078, last: 1.3442372, tolerance: 0.06 },
    { mean: 10_000, first: -1.3313334, last: 1.3313334, tolerance: 0.12 },
  ])("R08: a mean of $mean far above the spread", ({ mean, first, last, tolerance }) => {
    const row = Array.from({ length: 16 }, (_, index) => Math.fround(mean + index * 0.001));
    const output = run(subject, { inputs: { source: [row] }, options: { epsilon: 1e-5 } }).outputs
      .output as ArrayLike<number>;
    const absolute = runner === "reference" ? 1e-6 : tolerance;
    compare([output[0] as number, output[15] as number], [first, last], "float32", { absolute });
  });
});

describe("long rows", () => {
  it.each(floatingTypes)("%s: partial sums that are large and cancel leave 1e-5", (dtype) => {
    for (const columns of [8192, 65_536]) {
      // Columns of one parity have one sign, so that sums over every 2^n-th column grow by themselves.
      const values = new Random(8)
        .normal(columns)
        .map((value, index) => (index % 2 ? 0.5 : -0.5) * (1 + Math.abs(value)));
      const { tensor: x, values: held } = layouts.contiguous(values, [1, columns], dtype);
      const exact = subject.reference.forward({ source: held }, { columns, epsilon: 1e-5, dtype });
      const tolerance = dtype === "float32" ? { relative: 1e-5, absolute: 1e-5 } : { steps: 1, absolute: 1e-5 };
      compare(layerNorm(x).dataSync() as Float32Array, exact.output as Float64Array, dtype, tolerance);
    }
  });
});

describe("reference", () => {
  it.each([
    { rows: 3, columns: 5 },
    { rows: 2, columns: 1 },
    { rows: 2, columns: 4, without: ["weight"] },
    { rows: 2, columns: 4, without: ["bias"] },
    { rows: 2, columns: 4, without: ["weight", "bias"] },
  ])("gradients are those of central differences: %o", (settings) => {
    expectDifferences(subject, settings);
  });
});

describe("normalizedShape", () => {
  const values = Float32Array.from({ length: 24 }, (_, index) => Math.sin(3 * index));
  const flat = (): { numbers: number[][] } => {
    const x = tensor(values, [2, 12]);
    const { output, saved } = layerNorm.forward(x, tensor(values.subarray(0, 12)), tensor(values.subarray(5, 17)));
    const { source, weight, bias } = layerNorm.backward(saved, tensor(values, [2, 12]));
    return { numbers: [output, source, weight, bias].map((item) => [...item.dataSync()]) };
  };

  it.each([
    { shape: [2, 3, 4], normalizedShape: [3, 4] },
    { shape: [2, 1, 2, 6], normalizedShape: [1, 2, 6] },
    { shape: [1, 2, 12], normalizedShape: [12] },
  ])(
    "the last dimensions $normalizedShape of $shape are one row, and parameters have their shape",
    ({ shape, normalizedShape }) => {
      const x = tensor(values, shape);
      const [scale, shift] = [values.subarray(0, 12), values.subarray(5, 17)].map((row) =>
        tensor(row, normalizedShape),
      );
      const { output, saved } = layerNorm.forward(x, scale, shift, { normalizedShape });
      const gradients = layerNorm.backward(saved, tensor(values, shape));
      const results = [output, gradients.source, gradients.weight, gradients.bias];
      expect(results.map((item) => item.shape)).toEqual([shape, shape, normalizedShape, normalizedShape]);
      expect(results.map((item) => [...item.dataSync()])).toEqual(flat().numbers);
    },
  );

  it("trailing dimensions in any order of memory", () => {
    const turned = tensor(values, [4, 3, 2]).transpose();
    const of = (x: typeof turned) => [...layerNorm(x, { normalizedShape: [3, 4] }).dataSync()];
    expect(of(turned)).toEqual(of(turned.clone()));
  });
});
