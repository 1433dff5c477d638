import { device, scope } from "@metile/runtime";
import { isSmallRun } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { prepare, tensorsIn } from "./case.js";
import { subjects } from "./subjects.js";

const columns = 64;
const steps = isSmallRun() ? 96 : 1024;
const mebibytes32 = 2 ** 25;

describe.each(subjects)("$name", (subject) => {
  it(`R30: ${steps} steps of 1 to ${steps} rows leave no buffer, and the second time no memory`, () => {
    scope(() => {
      // Views of one set of tensors, so that the steps themselves are all that allocates.
      const prepared = prepare(subject, { shape: [steps, columns], source: "bfloat16", parameter: "float16" });
      const cotangents = tensorsIn(prepared.cotangents);
      const step = (rows: number): void =>
        scope(() => {
          const call = subject.rows.map((name) => prepared.inputs[name]?.tensor.slice([0], [rows]));
          const parameters = subject.parameters.map((name) => prepared.inputs[name]?.tensor);
          const { saved } = subject.pair.forward(...call, ...parameters);
          const given = Object.entries(cotangents).map(([name, tensor]) => [name, tensor.slice([0], [rows])]);
          subject.pair.backward(saved, Object.fromEntries(given));
        });
      const pass = (): { storages: number; live: number; resident: number; kernels: number; libraries: number } => {
        for (let rows = 1; rows <= steps; rows += 1) step(rows);
        device().synchronizeSync();
        const { storages, live } = device().memory;
        const { kernels, libraries } = device().counters;
        return { storages, live, kernels, libraries, resident: process.memoryUsage().rss };
      };
      const before = device().memory;
      const first = pass();
      const second = pass();
      for (const { storages, live } of [first, second])
        expect({ storages, live }).toEqual({ storages: before.storages, live: before.live });
      expect(second.resident - first.resident).toBeLessThan(mebibytes32);
      // Kernels follow types, never shapes.
      expect([second.kernels, second.libraries]).toEqual([first.kernels, first.libraries]);
      expect(first.kernels).toBeLessThan(64);
      expect(device().memory.cached).toBeLessThan(2 ** 28);
    });
  });

  it("a plain call keeps nothing but its outputs", () => {
    scope(() => {
      const prepared = prepare(subject, { shape: [45, 127], parameter: "bfloat16" });
      const before = device().memory.storages;
      const result = subject.pair(...prepared.parameters);
      expect(device().memory.storages - before).toBe(subject.outputs.length);
      for (const output of subject.outputs.length === 1 ? [result] : Object.values(result))
        (output as { dispose(): void }).dispose();
      expect(device().memory.storages).toBe(before);
    });
  });

  it("nothing is left of a step, its inputs included", () => {
    const before = device().memory;
    for (const layout of ["contiguous", "columnStrided", "repeatedScalar"] as const)
      scope(() => {
        const layouts = Object.fromEntries([...subject.rows, ...subject.parameters].map((name) => [name, layout]));
        const prepared = prepare(subject, { shape: [45, 127], source: "bfloat16", parameter: "float16", layouts });
        subject.pair(...prepared.parameters);
        const { saved } = subject.pair.forward(...prepared.parameters);
        for (const wanted of [undefined, []])
          subject.pair.backward(saved, tensorsIn(prepared.cotangents), { ...(wanted && { wanted }) });
      });
    expect(device().memory.storages).toBe(before.storages);
    expect(device().memory.live).toBe(before.live);
  });

  it("saved values and gradients are freed when they are disposed of", () => {
    scope(() => {
      const prepared = prepare(subject, { shape: [45, 127], source: "bfloat16", parameter: "float16" });
      const before = device().memory.storages;
      const { saved, ...outputs } = subject.pair.forward(...prepared.parameters);
      const gradients = subject.pair.backward(saved, tensorsIn(prepared.cotangents));
      for (const item of [saved, ...Object.values(outputs), ...Object.values(gradients)]) item.dispose();
      expect(device().memory.storages).toBe(before);
    });
  });
});
