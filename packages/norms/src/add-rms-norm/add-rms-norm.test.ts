import { scope, tensor } from "@metile/runtime";
import { compare, rounded } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { expectClose, expectDifferences, expectDigits, runKernel, runners } from "../../test/example.js";
import { rmsNormSubject, addRmsNormSubject as subject } from "../../test/subjects.js";
import { addRmsNorm } from "./add-rms-norm.js";

const inputs = {
  source: [
    [1, -2],
    [3, 0.5],
  ],
  residual: [
    [0.5, 1.25],
    [-1, 2],
  ],
  weight: [0.5, -1.5],
};
const output = [
  [0.4, -0.3],
  [1, 0.2],
];
const residual = [
  [0.1, -0.2],
  [0.3, 0.4],
];
const options = { epsilon: 0.25 };

describe.each(runners)("worked examples, $runner", ({ runner, run }) => {
  it("both outputs and both cotangents", () => {
    const { outputs, gradients } = run(subject, { inputs, cotangents: { output, residual }, options });
    expectDigits(runner, outputs.residual, [1.5, -0.75, 2, 2.5]);
    expectDigits(runner, outputs.output, [0.5827715, 0.8741573, 0.4313311, -1.617492]);
    expectDigits(runner, gradients.source, [0.2686006, 0.1430655, 0.4956036, 0.2455233]);
    expectDigits(runner, gradients.residual, [0.2686006, 0.1430655, 0.4956036, 0.2455233]);
    expectDigits(runner, gradients.weight, [1.328879, 0.390497]);
  });

  it("the output's cotangent alone: what goes through the norm", () => {
    const { gradients } = run(subject, { inputs, cotangents: { output }, options });
    for (const name of ["source", "residual"])
      expectDigits(runner, gradients[name], [0.1686006, 0.3430655, 0.1956036, -0.1544767]);
    expectDigits(runner, gradients.weight, [1.328879, 0.390497]);
  });

  it("the residual's cotangent alone: it, and no gradient of the weight", () => {
    const { gradients } = run(subject, { inputs, cotangents: { residual }, options });
    for (const name of ["source", "residual"]) expectClose(gradients[name], residual.flat());
    expect(Array.from(gradients.weight ?? [], (value) => value + 0)).toEqual([0, 0]);
  });

  it.each([
    { dtype: "bfloat16", sum: "native", expected: [-1.328125, -0.482421875] },
    { dtype: "bfloat16", sum: "rounded", expected: [-1.328125, -0.484375] },
    { dtype: "float16", sum: "native", expected: [0.49658203125, -1.32421875] },
    { dtype: "float16", sum: "rounded", expected: [0.496337890625, -1.32421875] },
  ] as const)("bits of $dtype under sum $sum", ({ dtype, sum, expected }) => {
    const bfloat = dtype === "bfloat16";
    const added = bfloat ? [[-48, -16]] : [[16, -43]];
    const stream = bfloat ? [[0.90625, -1.09375]] : [[0.146484375, -0.0537109375]];
    const results = run(subject, {
      inputs: { source: added, residual: stream, weight: [1, 1] },
      options: { sum },
      dtype,
    });
    const bits = (name: string) => [...rounded(results.outputs[name] as ArrayLike<number>, dtype)];
    expect(bits("residual")).toEqual(bfloat ? [-47, -17.125] : [16.140625, -43.0625]);
    expect(bits("output")).toEqual(expected);
  });

  it.each([
    { dtype: "bfloat16", casting: "llama", expected: [0.10205078125, 0.81640625, -0.5703125] },
    { dtype: "bfloat16", casting: "gemma", expected: [0.1015625, 0.8125, -0.5703125] },
    { dtype: "float16", casting: "llama", expected: [-1.138671875, -0.0711669921875, -1.4248046875] },
    { dtype: "float16", casting: "gemma", expected: [-1.1396484375, -0.07122802734375, -1.423828125] },
  ] as const)("bits of $dtype under casting $casting, nothing added", ({ dtype, casting, expected }) => {
    const [source, weight] =
      dtype === "bfloat16" ? [[[-0.25, 4, -3.5]], [-1.25, 0.625, 0.5]] : [[[-4, -0.25, -3.5]], [0.875, 0.875, 1.25]];
    for (const sum of ["native", "rounded"]) {
      const residual = [[0, 0, 0]];
      const { outputs } = run(subject, {
        inputs: { source, residual, weight } as never,
        options: { casting, sum },
        dtype,
      });
      expect([...rounded(outputs.output as ArrayLike<number>, dtype)]).toEqual(expected);
    }
  });

  it("R07: a float16 sum whose squares overflow float16", () => {
    const { outputs, gradients } = run(subject, {
      inputs: { source: [[600, -600, 600, -600]], residual: [[400, -400, 400, -400]], weight: [1, 1, 1, 1] },
      cotangents: { output: [[1, 0, 0, 0]], residual: [[0, 0, 0, 0]] },
      dtype: "float16",
    });
    expectClose(outputs.residual, [1000, -1000, 1000, -1000]);
    expectClose(outputs.output, [1, -1, 1, -1]);
    for (const name of ["source", "residual"]) expectClose(gradients[name], [0.00075, 0.00025, -0.00025, 0.00025]);
    expectClose(gradients.weight, [1, 0, 0, 0]);
  });

  it("a float16 sum past the largest float16: the stream is infinite, the output is not", () => {
    const wide = { source: [[40_000, 40_000]], residual: [[40_000, -40_000]], weight: [1, 1] };
    const results = run(subject, { inputs: wide, dtype: "float16" }).outputs;
    expect([...rounded(results.residual as ArrayLike<number>, "float16")]).toEqual([Number.POSITIVE_INFINITY, 0]);
    compare(results.output as ArrayLike<number>, [Math.SQRT2, 0], "float16");
  });
});

describe("reference", () => {
  it.each([
    { rows: 3, columns: 5 },
    { rows: 2, columns: 1 },
    { rows: 2, columns: 4, options: { offset: 1 } },
    { rows: 2, columns: 4, without: ["weight"] },
  ])("gradients are those of central differences: %o", (settings) => {
    expectDifferences(subject, settings);
  });
});

describe("outputs and gradients", () => {
  const call = () => addRmsNorm.forward(tensor(inputs.source), tensor(inputs.residual), tensor(inputs.weight), options);

  it("are those of an addition and rmsNorm", () => {
    const dtype = "bfloat16";
    const sums = [
      [1.5, -0.75],
      [2, 2.5],
    ];
    const fused = runKernel(subject, { inputs, cotangents: { output }, options: { sum: "rounded" }, dtype });
    const apart = runKernel(rmsNormSubject, {
      inputs: { source: sums, weight: inputs.weight },
      cotangents: { output },
      dtype,
    });
    expect(fused.outputs.output).toEqual(apart.outputs.output);
    expect(fused.gradients.source).toEqual(apart.gradients.source);
    expect(fused.gradients.weight).toEqual(apart.gradients.weight);
  });

  it("a cotangent of null is as one left out", () => {
    const { saved } = call();
    const of = (cotangents: object) => [...addRmsNorm.backward(saved, cotangents).source.dataSync()];
    expect(of({ output: tensor(output), residual: null })).toEqual(of({ output: tensor(output) }));
    expect(of({ output: null, residual: tensor(residual) })).toEqual(of({ residual: tensor(residual) }));
  });

  it("are storages of their own", () => {
    scope(() => {
      const given = { output: tensor(output), residual: tensor(residual) };
      const { saved, ...outputs } = call();
      for (const cotangents of [given, { residual: given.residual }, { output: given.output }]) {
        const gradients = addRmsNorm.backward(saved, cotangents);
        const all = [...Object.values(given), ...Object.values(outputs), ...Object.values(gradients)];
        expect(new Set(all.map((item) => item.storage)).size).toBe(all.length);
        const before = [...gradients.residual.dataSync()];
        gradients.source.write(new Float32Array(4).fill(7));
        expect([...gradients.residual.dataSync()]).toEqual(before);
        expect([...given.residual.dataSync()]).toEqual([...tensor(residual).dataSync()]);
      }
    });
  });
});
