import { expect, it } from "vitest";
import { casesOf, describeCase, gradientBytes, halvesOf } from "./case.js";

const shape = { rows: 2, columns: 3, gradientType: "input", rounding: "once" } as const;

it("lists every operation at every size in every pass and type", () => {
  const cases = casesOf({
    operations: ["rmsNorm", "layerNorm"],
    sizes: [
      { rows: 2, columns: 3 },
      { rows: 4, columns: 5 },
    ],
    passes: ["forward", "forward+backward"],
    dtypes: ["bfloat16"],
    gradientType: "input",
    rounding: "separate",
  });
  expect(cases.map(describeCase)).toEqual([
    "rmsNorm forward bfloat16 2×3",
    "rmsNorm forward+backward bfloat16 2×3",
    "rmsNorm forward bfloat16 4×5",
    "rmsNorm forward+backward bfloat16 4×5",
    "layerNorm forward bfloat16 2×3",
    "layerNorm forward+backward bfloat16 2×3",
    "layerNorm forward bfloat16 4×5",
    "layerNorm forward+backward bfloat16 4×5",
  ]);
});

it("knows the halves of a pass", () => {
  expect(halvesOf("backward")).toEqual(["backward"]);
  expect(halvesOf("forward+backward")).toEqual(["forward", "backward"]);
});

it("counts gradients in the type that they have", () => {
  expect(gradientBytes({ ...shape, dtype: "bfloat16" })).toBe(2);
  expect(gradientBytes({ ...shape, dtype: "bfloat16", gradientType: "float32" })).toBe(4);
});
