import { device, scope, type Tensor, zeros } from "@metile/runtime";
import { compare, type Placed, tooLarge } from "@metile/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepare, tensorsIn, valuesIn } from "./case.js";
import { subjects } from "./subjects.js";

// Kernels may write what no cache holds past the caches, in whole chunks: widths that are a multiple of those, and of
// nothing more.
describe.each(subjects)("$name, 40 MB an output", (subject) => {
  it.skipIf(tooLarge(10_000_000)).each([
    { dtype: "float32", columns: 4104, gradientType: "float32" },
    { dtype: "bfloat16", columns: 4112, gradientType: "input" },
  ] as const)("$dtype: every row has the bits of the same row among eight", ({ dtype, columns, gradientType }) => {
    const repeats = dtype === "float32" ? 300 : 600;
    const item = {
      shape: [8, columns],
      source: dtype,
      gradientType,
      dtypes: { weight: "float32", bias: "float32" },
    } as const;
    scope(() => {
      const { inputs, cotangents } = prepare(subject, item);
      const names = [...subject.rows, ...subject.parameters];
      const run = (of: (tensor: Tensor) => Tensor): Record<string, Uint8Array> => {
        const call = names.map((name) => (subject.rows.includes(name) ? of : same)(inputs[name]?.tensor as Tensor));
        const { saved, ...outputs } = subject.pair.forward(...call, { gradientType });
        const given = Object.entries(cotangents).map(([name, { tensor }]) => [name, of(tensor)]);
        const gradients = subject.pair.backward(saved, Object.fromEntries(given));
        const rows = subject.rows.map((name) => [`gradient of ${name}`, gradients[name] as Tensor] as const);
        return Object.fromEntries(
          [...Object.entries(outputs), ...rows].map(([name, result]) => [name, bytesOf(result)]),
        );
      };
      const same = (tensor: Tensor): Tensor => tensor;
      const few = run(same);
      const many = run((tensor) => tensor.expand([repeats, 8, columns]).clone());
      for (const [name, part] of Object.entries(few)) {
        const whole = many[name] as Uint8Array;
        expect(whole.length).toBe(repeats * part.length);
        expect(whole.length).toBeGreaterThan(2 ** 25);
        for (let at = 0; at < whole.length; at += part.length)
          if (Buffer.compare(whole.subarray(at, at + part.length), part) !== 0)
            throw new Error(`${name} differs at byte ${at}`);
      }
    });
  });
});

/** The bytes of a tensor's elements. */
function bytesOf(tensor: Tensor): Uint8Array {
  const { buffer } = tensor.dtype === "float32" ? tensor.dataSync() : tensor.bitsSync();
  return new Uint8Array(buffer);
}

const stride = 2 ** 31 + 64;
const [rows, columns] = [3, 64];

/** Three rows of a buffer, all 0 but one element of the last two; the last one lies past element 2^32. */
function farRows(buffer: Tensor, start: number, value: number): Placed {
  const values = new Float64Array(rows * columns);
  for (const row of [1, 2]) {
    values[row * columns + 5] = row * value;
    buffer.slice([start + row * stride + 5], [1]).write([row * value]);
  }
  const view = buffer.asStrided([rows, columns], [stride, 1], start);
  return { tensor: view as Placed["tensor"], values };
}

// A CPU's zeros take no memory until they are touched; a GPU's buffer of 8 GB is there as a whole.
describe.runIf(device().name === "cpu")("R22: rows more than 2^31 elements apart (CPU only)", () => {
  const limit = device().memoryLimit;
  beforeAll(() => {
    device().memoryLimit = Math.max(limit, 2 ** 34); // what is addressed, and hardly used, counts
  });
  afterAll(() => {
    device().memoryLimit = limit;
  });

  it.each(subjects)("$name, sources and cotangents", (subject) => {
    const resident = process.memoryUsage().rss;
    scope(() => {
      const prepared = prepare(subject, { shape: [rows, columns], source: "bfloat16" });
      const buffer = zeros([2 * stride + 1024], "bfloat16");
      const far = (names: readonly string[], from: number): Record<string, Placed> =>
        Object.fromEntries(names.map((name, index) => [name, farRows(buffer, (from + index) * 128, 8 - index)]));
      const inputs = { ...prepared.inputs, ...far(subject.rows, 0) };
      const cotangents = far(subject.outputs, subject.rows.length);
      const call = [...subject.rows, ...subject.parameters].map((name) => inputs[name]?.tensor);
      const { saved, ...outputs } = subject.pair.forward(...call);
      const gradients = subject.pair.backward(saved, tensorsIn(cotangents));
      const exact = subject.reference.forward(valuesIn(inputs), prepared.reference);
      for (const [name, output] of Object.entries(outputs))
        compare(output.dataSync() as Float32Array, exact[name] as Float64Array, "bfloat16");
      const expected = subject.reference.backward(valuesIn(inputs), valuesIn(cotangents), prepared.reference);
      for (const [name, gradient] of Object.entries(gradients))
        compare(gradient.dataSync() as Float32Array, expected[name] as Float64Array, "float32", {
          relative: 1e-5,
          absolute: 1e-5,
        });
    });
    device().synchronizeSync();
    // Eight gigabytes are addressed; a few pages of them are used.
    expect(process.memoryUsage().rss - resident).toBeLessThan(2 ** 26);
  });
});
