import { scope, type Tensor } from "@metile/runtime";
import { dirtyMemory, hashOfElements, subsets } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { prepare, tensorsIn } from "./case.js";
import { checkGradients, checkOutputs } from "./prove.js";
import { subjects } from "./subjects.js";

const item = { shape: [45, 127], source: "bfloat16", parameter: "float32" } as const;

/** All subsets with a label each, the empty one first. */
function named(items: readonly string[]): { names: string[]; label: string }[] {
  return subsets(items).map((names) => ({ names, label: names.join(" and ") || "none" }));
}

describe.each(subjects)("$name", (subject) => {
  const inputs = [...subject.rows, ...subject.parameters];

  /** Expects exactly these gradients, with the bits of a run that asked for all; the rest throws by name. */
  function expectOnly(gradients: Record<string, Tensor>, wanted: readonly string[], all: Record<string, Tensor>): void {
    expect(Object.keys(gradients).sort()).toEqual([...wanted].sort());
    for (const name of inputs)
      if (wanted.includes(name))
        expect(hashOfElements(gradients[name] as Tensor)).toBe(hashOfElements(all[name] as Tensor));
      else expect(() => gradients[name]).toThrow(`${subject.name}: ${name}: expected a gradient that was asked for`);
  }

  it.each(named(inputs))("wanted at backward or forward: $label", ({ names: wanted }) => {
    scope(() => {
      const prepared = prepare(subject, item);
      const [options, ...reversed] = [...prepared.parameters].reverse();
      const call = reversed.reverse();
      const cotangents = tensorsIn(prepared.cotangents);
      const full = subject.pair.forward(...call, options);
      const all = subject.pair.backward(full.saved, cotangents);
      dirtyMemory(undefined, 2 ** 18);
      expectOnly(subject.pair.backward(full.saved, cotangents, { wanted }), wanted, all);
      const part = subject.pair.forward(...call, { ...(options as object), wanted });
      for (const name of subject.outputs)
        expect(hashOfElements(part[name] as Tensor)).toBe(hashOfElements(full[name] as Tensor));
      expectOnly(subject.pair.backward(part.saved, cotangents), wanted, all);
      for (const name of inputs)
        if (!wanted.includes(name))
          expect(() => subject.pair.backward(part.saved, cotangents, { wanted: [name] })).toThrow(TypeError);
    });
  });

  it.each(named(subject.parameters))("with the parameters: $label", ({ names }) => {
    scope(() => {
      const without = subject.parameters.filter((name) => !names.includes(name));
      const prepared = prepare(subject, { ...item, without });
      const { saved, ...outputs } = subject.pair.forward(...prepared.parameters);
      checkOutputs(subject, item, prepared, outputs);
      const gradients = subject.pair.backward(saved, tensorsIn(prepared.cotangents));
      checkGradients(subject, item, prepared, gradients);
      for (const name of without) {
        expect(() => gradients[name]).toThrow("an input that was not given");
        expect(() => subject.pair.backward(saved, tensorsIn(prepared.cotangents), { wanted: [name] })).toThrow(
          TypeError,
        );
      }
    });
  });

  it.each(named(subject.outputs).slice(1))("with the cotangents: $label", ({ names }) => {
    scope(() => {
      const prepared = prepare(subject, item);
      const { saved } = subject.pair.forward(...prepared.parameters);
      const given = Object.fromEntries(Object.entries(prepared.cotangents).filter(([name]) => names.includes(name)));
      const values = Object.fromEntries(Object.entries(given).map(([name, placed]) => [name, placed.values]));
      dirtyMemory(undefined, 2 ** 18);
      for (const wanted of subsets(inputs)) {
        const gradients = subject.pair.backward(saved, tensorsIn(given), { wanted });
        expect(Object.keys(gradients).sort()).toEqual([...wanted].sort());
        if (wanted.length === inputs.length) checkGradients(subject, item, prepared, gradients, values);
      }
    });
  });
});
