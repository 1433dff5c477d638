import { ones, scope, type Tensor, tensor, zeros } from "@metile/runtime";
import { compare, round, tooLarge } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { prepare, tensorsIn } from "./case.js";
import { subjects } from "./subjects.js";
import { floatingTypes } from "./types.js";

describe.each(subjects)("$name", (subject) => {
  it.each(floatingTypes)("%s: no rows give no outputs, and parameters' gradients of exactly 0", (source) => {
    for (const shape of [
      [0, 5],
      [2, 0, 33],
      [0, 4097],
    ])
      for (const gradientType of ["float32", "input"] as const)
        scope(() => {
          const prepared = prepare(subject, { shape, source, gradientType });
          const { saved, ...outputs } = subject.pair.forward(...prepared.parameters);
          for (const output of Object.values(outputs)) {
            expect(output.shape).toEqual(shape);
            expect(output.dtype).toBe(source);
            expect(output.dataSync()).toHaveLength(0);
          }
          const gradients = subject.pair.backward(saved, tensorsIn(prepared.cotangents));
          for (const name of subject.rows) expect(gradients[name]?.shape).toEqual(shape);
          for (const name of subject.parameters) {
            expect(gradients[name]?.dtype).toBe(gradientType === "input" ? source : "float32");
            expect([...(gradients[name] as Tensor).dataSync()]).toEqual(new Array(shape[shape.length - 1]).fill(0));
          }
        });
  });

  it("no columns are refused, with any number of rows", () => {
    for (const shape of [[3, 0], [0, 0], [0]]) {
      const rows = subject.rows.map(() => zeros(shape));
      expect(() => subject.pair(...rows)).toThrow("expected a last dimension of at least 1 column");
    }
  });

  // A running sum in bfloat16 stops at 256, one in float16 at 2048.
  // On a GPU a row of 4 takes a simdgroup of 32.
  describe.each([1000, 100_000])("R19: %d rows of ones", (rows) => {
    it.skipIf(tooLarge(32 * rows))("are summed in float32", () => {
      for (const dtype of floatingTypes)
        for (const gradientType of ["float32", "input"] as const)
          scope(() => {
            const row = tensor([1, 1, 1, 1], [4], dtype).expand([rows, 4]);
            // What is added is 0, so that every operation but layerNorm normalises ones.
            const inputs = subject.rows.map((name) =>
              name === "residual" ? tensor([0], [1], dtype).expand([rows, 4]) : row,
            );
            const parameters = subject.parameters.map(() => ones([4], dtype));
            const { saved } = subject.pair.forward(...inputs, ...parameters, { epsilon: 1e-6, gradientType });
            const gradients = subject.pair.backward(saved, { output: row });
            const type = gradientType === "input" ? dtype : "float32";
            const normalised = rows / Math.sqrt(1 + Math.fround(1e-6));
            const weight = subject.parameters.includes("bias") ? 0 : normalised;
            compare(gradients.weight?.dataSync() as Float32Array, new Array(4).fill(weight), type);
            if (rows === 1000 && weight !== 0)
              expect(round(gradients.weight?.dataSync()[0] as number, "bfloat16")).toBe(1000);
            if (subject.parameters.includes("bias"))
              compare(gradients.bias?.dataSync() as Float32Array, new Array(4).fill(rows), type);
          });
    });
  });
});
