import { expect, it } from "vitest";
import { casesOf, describeCase, gradientBytes } from "./case.js";

const size = { rows: 2, columns: 3, gradientType: "input", rounding: "once" } as const;

it("lists every operation forward and backward in every type", () => {
  const cases = casesOf(["rmsNorm", "layerNorm"], ["float32", "bfloat16"], size);
  expect(cases.map(describeCase)).toEqual([
    "rmsNorm forward float32",
    "rmsNorm forward bfloat16",
    "rmsNorm backward float32",
    "rmsNorm backward bfloat16",
    "layerNorm forward float32",
    "layerNorm forward bfloat16",
    "layerNorm backward float32",
    "layerNorm backward bfloat16",
  ]);
});

it("counts gradients in the type that they have", () => {
  expect(gradientBytes({ ...size, dtype: "bfloat16" })).toBe(2);
  expect(gradientBytes({ ...size, dtype: "bfloat16", gradientType: "float32" })).toBe(4);
});
