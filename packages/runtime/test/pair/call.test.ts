import { describe, expect, it } from "vitest";
import { ArgumentError, DtypeError, LifetimeError, MetileError, ShapeError, tensor, zeros } from "../../src/index.js";
import { balanced } from "../support/memory.js";
import { repeat, seen, swap } from "../support/pairs.js";
import { thrown } from "../support/thrown.js";

const loose = repeat as unknown as (...parameters: unknown[]) => unknown;
const looseSwap = swap as unknown as (...parameters: unknown[]) => unknown;
const source = tensor([1, 2, 3]);
const flags = zeros([1], "bool");

const message = (kind: new (...facts: never[]) => Error, run: () => unknown): string =>
  balanced(() => {
    const error = thrown<MetileError>(run);
    expect(error).toBeInstanceOf(kind);
    expect(error).toBeInstanceOf(MetileError);
    return error.message;
  });

describe("a pair's call", () => {
  it("takes inputs in order and options last, from the call and from forward alike", () => {
    balanced(() => {
      using output = repeat(source, { count: 3 });
      expect(Array.from(output.dataSync())).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
      const { output: again, saved } = repeat.forward(source, { count: 1 });
      expect(again.shape).toEqual([1, 3]);
      again.dispose();
      saved.dispose();
    });
  });

  it("fills in defaults, and an undefined option is a default", () => {
    repeat(source).dispose();
    expect(seen.options).toEqual({ count: 2, exact: true, order: "up", grid: undefined });
    loose(source, { count: undefined, order: "down", grid: [1, 2] });
    expect(seen.options).toEqual({ count: 2, exact: true, order: "down", grid: [1, 2] });
  });

  it("takes undefined and null for an optional input, and for trailing parameters", () => {
    for (const parameters of [
      [source],
      [source, undefined],
      [source, null],
      [source, null, null],
      [source, undefined, undefined, undefined],
      [source, null, null, {}],
      [source, {}],
    ]) {
      const { left, right } = looseSwap(...parameters) as ReturnType<typeof swap>;
      expect(Array.from(left.dataSync())).toEqual([0, 0, 0]);
      expect(Array.from(right.dataSync())).toEqual([1, 2, 3]);
      left.dispose();
      right.dispose();
    }
  });

  it("takes options without a prototype", () => {
    const options = Object.assign(Object.create(null) as object, { count: 1 });
    expect((loose(source, options) as { shape: number[] }).shape).toEqual([1, 3]);
  });

  it("with one output gives the tensor, with several an object by name", () => {
    using output = repeat(source);
    expect(output.shape).toEqual([2, 3]);
    const both = swap(source, tensor([4, 5, 6]));
    expect(Object.keys(both)).toEqual(["left", "right"]);
    expect(Array.from(both.left.dataSync())).toEqual([4, 5, 6]);
  });
});

describe("a pair refuses", () => {
  it("what is no tensor, by the input's name", () => {
    expect(message(ArgumentError, () => loose())).toMatchInlineSnapshot(
      `"repeat: source: expected a tensor, received undefined."`,
    );
    expect(message(ArgumentError, () => loose(null))).toMatchInlineSnapshot(
      `"repeat: source: expected a tensor, received null."`,
    );
    expect(message(ArgumentError, () => loose(new Float32Array(3)))).toMatchInlineSnapshot(
      `"repeat: source: expected a tensor, received a Float32Array. Make one with tensor(values, shape)."`,
    );
    expect(message(ArgumentError, () => loose([1, 2, 3]))).toMatchInlineSnapshot(
      `"repeat: source: expected a tensor, received an array. Make one with tensor(values, shape)."`,
    );
    expect(message(ArgumentError, () => looseSwap(source, 3))).toMatchInlineSnapshot(
      `"swap: second: expected a tensor, received 3."`,
    );
    expect(message(ArgumentError, () => looseSwap(source, {}, source))).toMatchInlineSnapshot(
      `"swap: second: expected a tensor, received an object."`,
    );
  });

  it("tensors of other types", () => {
    using whole = zeros([3], "int32");
    expect(message(DtypeError, () => loose(whole))).toMatchInlineSnapshot(
      `"repeat: source: expected float32, float16, bfloat16, received int32."`,
    );
    expect(message(DtypeError, () => looseSwap(source, source, source))).toMatchInlineSnapshot(
      `"swap: flags: expected bool, int32, received float32."`,
    );
  });

  it("disposed tensors", () => {
    const gone = zeros([3]);
    gone.dispose();
    expect(message(LifetimeError, () => loose(gone))).toMatchInlineSnapshot(
      `"repeat: source: expected a live tensor, received one that was disposed of."`,
    );
    expect(message(LifetimeError, () => looseSwap(source, gone))).toMatchInlineSnapshot(
      `"swap: second: expected a live tensor, received one that was disposed of."`,
    );
  });

  it("more parameters than it has", () => {
    expect(message(ArgumentError, () => loose(source, source))).toMatchInlineSnapshot(
      `"repeat: expected at most 1 tensors (source) and an options object, received a float32 tensor [3] after them."`,
    );
    expect(message(ArgumentError, () => loose(source, {}, {}))).toMatchInlineSnapshot(
      `"repeat: expected at most 1 tensors (source) and an options object, received an object after them."`,
    );
    expect(message(ArgumentError, () => looseSwap(source, source, null, null, 5))).toMatchInlineSnapshot(
      `"swap: expected at most 3 tensors (first, second, flags) and an options object, received null after them."`,
    );
  });

  it("options that it does not have", () => {
    expect(message(ArgumentError, () => loose(source, { counts: 3 }))).toMatchInlineSnapshot(
      `"repeat: options: expected count, exact, order, grid, wanted, gradientType, received "counts"."`,
    );
    for (const name of ["toString", "constructor", "hasOwnProperty"])
      expect(message(ArgumentError, () => loose(source, { [name]: 1 }))).toContain(`"${name}"`);
  });

  it("options out of their bounds, or of another kind", () => {
    expect(message(ShapeError, () => loose(source, { count: 0 }))).toMatchInlineSnapshot(
      `"repeat: count: expected a finite number above 0, in float32 too, received 0."`,
    );
    expect(message(ShapeError, () => loose(source, { count: Number.NaN }))).toMatchInlineSnapshot(
      `"repeat: count: expected a finite number above 0, in float32 too, received NaN."`,
    );
    expect(message(ShapeError, () => loose(source, { count: 1e39 }))).toMatchInlineSnapshot(
      `"repeat: count: expected a finite number above 0, in float32 too, received 1e+39."`,
    );
    expect(message(ShapeError, () => loose(source, { count: 1e-46 }))).toMatchInlineSnapshot(
      `"repeat: count: expected a finite number above 0, in float32 too, received 1e-46."`,
    );
    expect(message(ArgumentError, () => loose(source, { count: "2" }))).toMatchInlineSnapshot(
      `"repeat: count: expected a finite number above 0, in float32 too, received "2"."`,
    );
    expect(message(ArgumentError, () => loose(source, { count: null }))).toMatchInlineSnapshot(
      `"repeat: count: expected a finite number above 0, in float32 too, received null."`,
    );
    expect(message(ArgumentError, () => loose(source, { exact: 1 }))).toMatchInlineSnapshot(
      `"repeat: exact: expected true or false, received 1."`,
    );
    expect(message(ArgumentError, () => loose(source, { order: "sideways" }))).toMatchInlineSnapshot(
      `"repeat: order: expected "up" or "down", received "sideways"."`,
    );
    expect(message(ArgumentError, () => loose(source, { grid: [0] }))).toMatchInlineSnapshot(
      `"repeat: grid: expected a list of whole numbers above 0, received an array."`,
    );
    expect(message(ArgumentError, () => loose(source, { grid: 3 }))).toMatchInlineSnapshot(
      `"repeat: grid: expected a list of whole numbers above 0, received 3."`,
    );
  });

  it("wanted and gradientType that it does not know", () => {
    expect(message(ArgumentError, () => loose(source, { wanted: ["weight"] }))).toMatchInlineSnapshot(
      `"repeat: wanted: expected names among "source", received "weight"."`,
    );
    expect(message(ArgumentError, () => loose(source, { wanted: "source" }))).toMatchInlineSnapshot(
      `"repeat: wanted: expected a list of names of inputs, received "source"."`,
    );
    expect(message(ArgumentError, () => looseSwap(source, null, null, { wanted: ["second"] }))).toMatchInlineSnapshot(
      `"swap: wanted: expected names among "first", received "second"."`,
    );
    expect(message(ArgumentError, () => looseSwap(source, null, flags, { wanted: ["flags"] }))).toMatch(/"flags"/);
    expect(message(ArgumentError, () => loose(source, { gradientType: "float16" }))).toMatchInlineSnapshot(
      `"repeat: gradientType: expected "float32" or "input", received "float16"."`,
    );
  });
});
