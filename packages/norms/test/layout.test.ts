import { device, scope, type Tensor } from "@metile/runtime";
import { hashOfElements, layouts, type Placed } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { type LayoutName, prepare } from "./case.js";
import { prove } from "./prove.js";
import { subjects } from "./subjects.js";
import { floatingTypes } from "./types.js";

const names = Object.keys(layouts) as LayoutName[];
const shapes = [
  [3, 5, 33],
  [7, 1000],
  [1, 129],
] as const;
/** Repeated values make constant rows, whose gradients 1 / sqrt(epsilon) would blow up with their rounding. */
const options = { epsilon: 0.5 };

describe.each(subjects)("$name", (subject) => {
  const tensors = [...subject.rows, ...subject.parameters, ...subject.outputs.map((name) => `d${name}`)];

  it.each(names)("each tensor %s, the others contiguous", (layout) => {
    for (const source of floatingTypes)
      for (const shape of shapes)
        for (const name of tensors) prove(subject, { source, shape, layouts: { [name]: layout }, options });
  });

  it.each(names)("all tensors %s", (layout) => {
    const all = Object.fromEntries(tensors.map((name) => [name, layout]));
    for (const source of floatingTypes)
      for (const shape of shapes) prove(subject, { source, shape, layouts: all, options });
  });

  // On a GPU the layout decides how wide packets are, and so which columns a thread adds up.
  it.runIf(device().name === "cpu").each(names)(
    "R21: %s tensors give the bits of contiguous copies (CPU only)",
    (layout) => {
      for (const source of floatingTypes)
        for (const shape of shapes)
          scope(() => {
            const all = Object.fromEntries(tensors.map((name) => [name, layout]));
            const { inputs, cotangents } = prepare(subject, { source, shape, layouts: all, options });
            const run = (of: (placed: Placed) => Tensor): string => {
              const call = [...subject.rows, ...subject.parameters].map((name) => of(inputs[name] as Placed));
              const { saved, ...outputs } = subject.pair.forward(...call);
              const given = Object.entries(cotangents).map(([name, placed]) => [name, of(placed)]);
              const gradients = subject.pair.backward(saved, Object.fromEntries(given));
              return hashOfElements(...Object.values(outputs), ...Object.values(gradients));
            };
            expect(run(({ tensor }) => tensor)).toBe(run(({ tensor }) => tensor.clone()));
          });
    },
  );

  it("layouts mixed with casts", () => {
    const dtypes = { weight: "float16", bias: "bfloat16" } as const;
    const mixed = { source: "rowStrided", residual: "blocked", weight: "unaligned", bias: "columnStrided" } as const;
    for (const source of floatingTypes)
      for (const layout of names)
        for (const shape of shapes)
          prove(subject, {
            source,
            shape,
            dtypes,
            layouts: { ...mixed, doutput: layout, dresidual: "repeatedRows" },
            options,
          });
  });

  it("cotangents and parameters of types of their own", () => {
    for (const source of ["float16", "bfloat16"] as const)
      for (const [weight, bias] of [
        ["float32", source],
        [source, "float32"],
        ["bfloat16", "float16"],
      ] as const)
        for (const [doutput, dresidual] of [
          ["float32", source],
          [source, "float32"],
        ] as const)
          prove(subject, { source, shape: [45, 127], dtypes: { weight, bias, doutput, dresidual } });
  });
});
