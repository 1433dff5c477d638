import { scope, type Tensor, tensor } from "@metile/runtime";
import { bitsOf, compare, layouts } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { type Prepared, prepare, tensorsIn, valuesIn } from "./case.js";
import { type Subject, subjects } from "./subjects.js";
import { floatingTypes } from "./types.js";

type Result = Record<string, Float32Array>;
type Floating = (typeof floatingTypes)[number];

const rows = 6;
const columns = 33;
const spoiltRow = 2;
const spoiltColumn = 7;
const at = spoiltRow * columns + spoiltColumn;

/** NaN of a sign, or an infinity, as a tensor holds it. */
const spoils = {
  NaN: Number.NaN,
  "-NaN": -Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
};
type Spoil = keyof typeof spoils;

/** A tensor of values one of which is replaced, bit by bit: NaN keeps its sign. */
function spoil(values: Float64Array, dtype: Floating, kind: Spoil): Tensor {
  const bits = dtype === "float32" ? new Uint32Array(values.length) : new Uint16Array(values.length);
  values.forEach((value, index) => {
    bits[index] = bitsOf(index === at ? Math.abs(spoils[kind]) : value, dtype);
  });
  const sign = dtype === "float32" ? 2 ** 31 : 2 ** 15;
  if (kind.startsWith("-")) bits[at] = (bits[at] as number) + sign;
  const host = dtype === "float32" ? new Float32Array(bits.buffer) : (bits as Uint16Array);
  return tensor(host, [rows, columns], dtype);
}

/** Outputs and gradients by name ("dsource"…), with a tensor of the call replaced. */
function run(subject: Subject, prepared: Prepared, name: string, replacement?: Tensor): Result {
  const inputs = { ...tensorsIn(prepared.inputs), ...(replacement && { [name]: replacement }) };
  const cotangents = { ...tensorsIn(prepared.cotangents), ...(replacement && { [name.slice(1)]: replacement }) };
  const given = Object.fromEntries(subject.outputs.map((output) => [output, cotangents[output]]));
  const { saved, ...outputs } = subject.pair.forward(
    ...[...subject.rows, ...subject.parameters].map((key) => inputs[key]),
  );
  const gradients = subject.pair.backward(saved, given);
  const named = [
    ...Object.entries(outputs),
    ...Object.entries(gradients).map(([key, value]) => [`d${key}`, value] as const),
  ];
  return Object.fromEntries(named.map(([key, value]) => [key, value.dataSync() as Float32Array]));
}

/** The results with the spoilt row left out. */
function others(values: Float32Array): number[] {
  return [...values].filter((_, index) => Math.floor(index / columns) !== spoiltRow);
}

const cases = subjects.flatMap((subject) =>
  [...subject.rows, ...subject.outputs.map((name) => `d${name}`)].map((name) => ({
    subject,
    operation: subject.name,
    name,
  })),
);

describe.each(cases)("$operation with a spoilt $name", ({ subject, name }) => {
  it.each(floatingTypes)("%s: stays in its row, reaches the parameters' gradients as the formula says", (dtype) => {
    scope(() => {
      const prepared = prepare(subject, { shape: [rows, columns], source: dtype });
      const clean = run(subject, prepared, name);
      const placed = prepared.inputs[name] ?? prepared.cotangents[name.slice(1)];
      for (const kind of Object.keys(spoils) as Spoil[]) {
        const values = Float64Array.from(placed?.values as Float64Array);
        values[at] = spoils[kind];
        const result = run(subject, prepared, name, spoil(values, dtype, kind));
        const inputs = { ...valuesIn(prepared.inputs), ...(subject.rows.includes(name) && { [name]: values }) };
        const cotangents = {
          ...valuesIn(prepared.cotangents),
          ...(!subject.rows.includes(name) && { [name.slice(1)]: values }),
        };
        const exact = subject.reference.backward(inputs, cotangents, prepared.reference);
        const expected: Record<string, Float64Array> = { ...subject.reference.forward(inputs, prepared.reference) };
        for (const [key, value] of Object.entries(exact)) expected[`d${key}`] = value as Float64Array;
        expect(Object.keys(result).sort()).toEqual(Object.keys(expected).sort());
        let touched = 0;
        for (const [key, value] of Object.entries(result)) {
          const type = key.startsWith("d") ? "float32" : dtype;
          const absolute = value.length === columns ? 1e-5 : 1e-6;
          const steps = type === "float32" ? { relative: 1e-5, absolute } : { steps: 1, absolute };
          compare(value, expected[key] as Float64Array, type, steps);
          if (value.length > columns) expect(others(value)).toEqual(others(clean[key] as Float32Array));
          touched += value.filter((item) => !Number.isFinite(item)).length;
        }
        expect(touched).toBeGreaterThan(0);
      }
    });
  });
});

describe.each(subjects)("$name", (subject) => {
  it("a NaN row reaches every column of the weight's gradient, even under a cotangent of 0", () => {
    scope(() => {
      const prepared = prepare(subject, { shape: [rows, columns] });
      const values = Float64Array.from(prepared.inputs.source?.values as Float64Array);
      const cotangent = Float64Array.from(prepared.cotangents.output?.values as Float64Array).fill(
        0,
        spoiltRow * columns,
        (spoiltRow + 1) * columns,
      );
      const output = layouts.contiguous(cotangent, [rows, columns], "float32");
      const result = run(
        subject,
        { ...prepared, cotangents: { ...prepared.cotangents, output } },
        "source",
        spoil(values, "float32", "NaN"),
      );
      expect([...(result.dweight as Float32Array)].every(Number.isNaN)).toBe(true);
      if (result.dbias) expect([...result.dbias].every(Number.isFinite)).toBe(true);
    });
  });
});

describe("squares past the largest float32", () => {
  it.each(subjects.filter(({ parameters }) => !parameters.includes("bias")))(
    "$name: the row becomes 0, as with an infinity",
    (subject) => {
      scope(() => {
        const row = tensor([[2e19, 1, -1]]);
        const call = subject.rows.map((name) => (name === "source" ? row : tensor([[0, 0, 0]])));
        const { saved: _, output } = subject.pair.forward(...call);
        expect([...(output as Tensor).dataSync()].map((value) => value + 0)).toEqual([0, 0, 0]);
      });
    },
  );
});
