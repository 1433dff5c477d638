import { type Tensor, tensor } from "@metile/runtime";
import { rounded, withGuards } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { expectClose, expectDifferences, expectDigits, runKernel, runners } from "../../test/example.js";
import { rmsNormSubject as subject } from "../../test/subjects.js";
import { rmsNorm } from "./rms-norm.js";

const source = [
  [1, -2],
  [3, 0.5],
];
const weight = [0.5, -1.5];
const cotangents = {
  output: [
    [0.4, -0.3],
    [1, 0.2],
  ],
};

describe.each(runners)("worked examples, $runner", ({ runner, run }) => {
  it.each([
    {
      offset: 0,
      output: [0.3015113, 1.809068, 0.6793662, -0.3396831],
      gradient: [0.1973529, 0.1178635, 0.03832322, -0.1672286],
    },
    {
      offset: 1,
      output: [0.904534, 0.6030227, 2.038099, -0.1132277],
      gradient: [0.3289215, 0.1562377, 0.0592268, -0.1486477],
    },
  ])("offset $offset", ({ offset, output, gradient }) => {
    const { outputs, gradients } = run(subject, {
      inputs: { source, weight },
      cotangents,
      options: { epsilon: 0.25, offset },
    });
    expectDigits(runner, outputs.output, output);
    expectDigits(runner, gradients.source, gradient);
    expectDigits(runner, gradients.weight, [1.599942, 0.4071047]);
  });

  it("no weight: the factor is 1, whatever the offset", () => {
    for (const offset of [0, 1]) {
      const { outputs, gradients } = run(subject, {
        inputs: { source },
        cotangents,
        options: { epsilon: 0.25, offset },
      });
      expectDigits(runner, outputs.output, [0.6030227, -1.206045, 1.358732, 0.2264554]);
      expectDigits(runner, gradients.source, [0.1315686, 0.03837417, 0.02090358, 0.01858096]);
      expect(Object.keys(gradients)).toEqual(["source"]);
    }
  });

  it("R16: one row with a cotangent on one column", () => {
    const { gradients } = run(subject, {
      inputs: { source: [[1, 2, 3, 4]], weight: [1, 1, 1, 1] },
      cotangents: { output: [[1, 0, 0, 0]] },
    });
    expectClose(gradients.source, [0.3529767374, -0.0243432199, -0.0365148299, -0.0486864398]);
    expectClose(gradients.weight, [0.3651483473, 0, 0, 0]);
  });

  it("R07: float16 values whose squares overflow float16", () => {
    const { outputs, gradients } = run(subject, {
      inputs: { source: [[1000, -1000, 1000, -1000]], weight: [1, 1, 1, 1] },
      cotangents: { output: [[1, 0, 0, 0]] },
      dtype: "float16",
    });
    expectClose(outputs.output, [1, -1, 1, -1]);
    expectClose(gradients.source, [0.00075, 0.00025, -0.00025, 0.00025]);
    expectClose(gradients.weight, [1, 0, 0, 0]);
  });

  it("R18: offset + weight is never formed in bfloat16", () => {
    const large = {
      inputs: { source: [[3, 1, 1, 1]], weight: [15.8125, 15.8125, 15.8125, 15.8125] },
      options: { offset: 1 },
    };
    const small = 0.0030059814453125;
    const dtypes = { weight: "bfloat16" } as const;
    expectClose(
      run(subject, { ...large, dtypes }).outputs.output,
      [29.1200993489, 9.706699783, 9.706699783, 9.706699783],
    );
    const half = run(subject, { ...large, dtype: "bfloat16" }).outputs.output as ArrayLike<number>;
    expect([...rounded(half, "bfloat16")]).toEqual([29.125, 9.6875, 9.6875, 9.6875]);
    const inputs = { source: [[3, 1, 1, 1]], weight: [small, small, small, small] };
    const { output } = run(subject, { inputs, options: { offset: 1 }, dtypes }).outputs;
    expectClose(output, [1.7372570306, 0.5790856769, 0.5790856769, 0.5790856769]);
  });

  it.each([
    { casting: "llama", first: 1.75 },
    { casting: "gemma", first: 1.7421875 },
  ])("R18: a bfloat16 weight of 1.0078125, casting $casting", ({ casting, first }) => {
    const inputs = { source: [[3, 1, 1, 1]], weight: [1.0078125, 1, 1, 1] };
    const { output } = run(subject, { inputs, options: { casting }, dtype: "bfloat16" }).outputs;
    expect(rounded(output as ArrayLike<number>, "bfloat16")[0]).toBe(first);
  });

  it.each([
    { dtype: "bfloat16", casting: "llama", output: [0.10205078125, 0.81640625, -0.5703125] },
    { dtype: "bfloat16", casting: "gemma", output: [0.1015625, 0.8125, -0.5703125] },
    { dtype: "float16", casting: "llama", output: [-1.138671875, -0.0711669921875, -1.4248046875] },
    { dtype: "float16", casting: "gemma", output: [-1.1396484375, -0.07122802734375, -1.423828125] },
  ] as const)("bits of $dtype under casting $casting", ({ dtype, casting, output }) => {
    const inputs =
      dtype === "bfloat16"
        ? { source: [[-0.25, 4, -3.5]], weight: [-1.25, 0.625, 0.5] }
        : { source: [[-4, -0.25, -3.5]], weight: [0.875, 0.875, 1.25] };
    const results = run(subject, { inputs, options: { casting }, dtype });
    expect([...rounded(results.outputs.output as ArrayLike<number>, dtype)]).toEqual(output);
  });

  it("a row of zeros: output 0, gradient cotangent / sqrt(epsilon)", () => {
    const { outputs, gradients } = run(subject, {
      inputs: { source: [[0, 0]], weight: [2, -1] },
      cotangents: { output: [[0.5, 3]] },
      options: { epsilon: 0.25 },
    });
    expect(Array.from(outputs.output ?? [], (value) => value + 0)).toEqual([0, 0]);
    expectClose(gradients.source, [2, -6]);
    expectClose(gradients.weight, [0, 0]);
  });
});

describe("reference", () => {
  it.each([
    { rows: 3, columns: 5 },
    { rows: 2, columns: 1 },
    { rows: 2, columns: 4, options: { offset: 1 } },
    { rows: 2, columns: 4, options: { offset: 1 }, without: ["weight"] },
  ])("gradients are those of central differences: %o", (settings) => {
    expectDifferences(subject, settings);
  });

  it("the gradient does not know of the casting", () => {
    const values = { source: Float64Array.of(1.1, -2.3, 0.7), weight: Float64Array.of(1, 2, 3) };
    const settings = { columns: 3, epsilon: 1e-5, dtype: "bfloat16" } as const;
    const of = (casting: string) =>
      subject.reference.backward(values, { output: Float64Array.of(1, 2, 3) }, { ...settings, casting });
    expect(of("llama")).toEqual(of("gemma"));
  });
});

describe("field cases", () => {
  const weights = [1, 2, 1, 1];

  it("R20: a cotangent of one number, expanded", () => {
    const x = tensor([
      [1, 2, 3, 4],
      [4, 3, 2, 1],
      [1, 1, 1, 2],
    ]);
    const { saved } = rmsNorm.forward(x, tensor(weights), { epsilon: 1e-6 });
    const gradients = rmsNorm.backward(saved, tensor(1).expand([3, 4]));
    expectClose(
      gradients.source.dataSync() as Float32Array,
      [
        0.2190890279, 0.4381780557, -0.073029611, -0.2190889305, -0.2677753703, 0.2556039064, 0.0486864885,
        0.2069174179, 0.1079901888, 0.8639189189, 0.1079901888, -0.5399483524,
      ],
    );
    expectClose(gradients.weight.dataSync() as Float32Array, [2.5816704667, 2.5816704667, 2.5816704667, 3.3375991967]);
  });

  it("R21: a transposed source", () => {
    const x = tensor([
      [1, 2],
      [3, 4],
      [5, 6],
    ]).transpose();
    expect(x.strides).toEqual([1, 2]);
    const { output, saved } = rmsNorm.forward(x, tensor([1, 1, 1]), { epsilon: 1e-6 });
    expectClose(
      output.dataSync() as Float32Array,
      [0.2927700093, 0.878310028, 1.4638500467, 0.4629100375, 0.925820075, 1.3887301125],
    );
    const gradients = rmsNorm.backward(
      saved,
      tensor([
        [1, 0, 0],
        [0, 1, 0],
      ]),
    );
    expectClose(
      gradients.source.dataSync() as Float32Array,
      [0.2844051526, -0.0250945701, -0.0418242835, -0.0330650009, 0.1653250169, -0.0991950028],
    );
  });

  it("R21: packed rows give the bits of copies", () => {
    const packed = tensor(
      Float32Array.from({ length: 4 * 15 }, (_, index) => Math.sin(index)),
      [4, 15],
    );
    const bits = (x: Tensor) => {
      const { output, saved } = rmsNorm.forward(x, tensor([1, 2, 3, 4, 5]));
      return [output, rmsNorm.backward(saved, x).source].map((item) => [...item.dataSync()]);
    };
    for (const part of [0, 5, 10]) {
      const slice = packed.slice([0, part], [4, 5]);
      expect(bits(slice)).toEqual(bits(slice.clone()));
    }
  });

  it.each([1, 3, 5, 7, 31, 33, 127, 1000, 4097])("R23: rows of 2 at width %d", (columns) => {
    for (const rows of [1, 2, 45]) {
      const inputs = { source: Array.from({ length: rows }, () => new Array<number>(columns).fill(2)) };
      const { output } = withGuards(() => runKernel(subject, { inputs })).outputs;
      expectClose(output, new Array<number>(rows * columns).fill(0.999999875));
    }
  });
});
