import { scope, type Tensor } from "@metile/runtime";
import { hashOf, hashOfElements, watchStorages } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { type LayoutName, prepare, tensorsIn } from "./case.js";
import { checkGradients } from "./prove.js";
import { subjects } from "./subjects.js";
import { floatingTypes, otherType } from "./types.js";

const shape = [45, 127];

describe.each(subjects)("$name", (subject) => {
  const names = [...subject.rows, ...subject.parameters, ...subject.outputs.map((name) => `d${name}`)];

  it.each(["contiguous", "rowStrided", "columnStrided", "repeatedRows"] as const satisfies LayoutName[])(
    "R16: inputs, outputs, cotangents and saved values keep their bytes, %s",
    (layout) => {
      for (const source of floatingTypes)
        for (const parameter of [source, otherType[source]])
          scope(() => {
            const watch = watchStorages();
            try {
              const layouts = Object.fromEntries(names.map((name) => [name, layout]));
              const prepared = prepare(subject, { shape, source, parameter, layouts });
              const inputs = Object.values(tensorsIn(prepared.inputs));
              const before = inputs.map(hashOf);
              const { saved, ...outputs } = subject.pair.forward(...prepared.parameters);
              expect(inputs.map(hashOf)).toEqual(before);
              // Everything that exists after the forward pass: inputs, outputs, saved values, cotangents.
              const existing = watch.hashes();
              expect(existing.size).toBeGreaterThanOrEqual(names.length + Object.keys(outputs).length);
              subject.pair.backward(saved, tensorsIn(prepared.cotangents));
              const afterwards = watch.hashes();
              for (const [slot, hash] of existing) expect(afterwards.get(slot)).toBe(hash);
            } finally {
              watch.stop();
            }
          });
    },
  );

  it.each(floatingTypes)("%s: backward again, with other cotangents and with the same", (source) => {
    scope(() => {
      const item = { shape, source };
      const [first, second] = [1, 2].map((seed) => prepare(subject, { ...item, seed }));
      if (first === undefined || second === undefined) throw new Error("two cases were asked for");
      const { saved } = subject.pair.forward(...first.parameters);
      const run = (prepared: typeof first) => subject.pair.backward(saved, tensorsIn(prepared.cotangents));
      const once = run(first);
      const hashes = (gradients: Record<string, Tensor>) =>
        Object.values(gradients).map((gradient) => hashOfElements(gradient));
      const before = hashes(once);
      checkGradients(subject, item, { ...first, cotangents: second.cotangents }, run(second));
      expect(hashes(run(first))).toEqual(before);
      expect(hashes(once)).toEqual(before);
    });
  });

  it("disposing of inputs and outputs before backward changes nothing", () => {
    scope(() => {
      const item = { shape, source: "bfloat16" } as const;
      const prepared = prepare(subject, item);
      const { saved, ...outputs } = subject.pair.forward(...prepared.parameters);
      for (const placed of Object.values(prepared.inputs)) placed.tensor.dispose();
      for (const output of Object.values(outputs)) output.dispose();
      checkGradients(subject, item, prepared, subject.pair.backward(saved, tensorsIn(prepared.cotangents)));
    });
  });

  it("gradients are storages of their own", () => {
    scope(() => {
      const prepared = prepare(subject, { shape });
      const { saved, ...outputs } = subject.pair.forward(...prepared.parameters);
      const cotangents = tensorsIn(prepared.cotangents);
      const gradients = subject.pair.backward(saved, cotangents);
      const all = [
        ...Object.values(tensorsIn(prepared.inputs)),
        ...[outputs, cotangents, gradients].flatMap(Object.values),
      ];
      expect(new Set(all.map((item: Tensor) => item.storage)).size).toBe(all.length);
    });
  });
});
