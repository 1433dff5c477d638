import { type Tensor, tensor, zeros } from "@metile/runtime";
import { describe, expect, it } from "vitest";
import { refusal } from "../../test/refusal.js";
import { rmsNorm } from "./rms-norm.js";

const source = tensor([
  [1, 2, 3],
  [4, 5, 6],
]);
const weight = tensor([1, 2, 3]);
const any = (value: unknown): Tensor => value as Tensor;

describe("shapes", () => {
  it("R32: a weight of 7 for 8 columns", () => {
    const [x, w] = [zeros([4, 8]), zeros([7])];
    expect(refusal(() => rmsNorm(x, w))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: weight: expected shape [8], received [7]."`,
    );
    const square = zeros([1, 8]);
    expect(refusal(() => rmsNorm(x, square))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: weight: expected shape [8], received [1, 8]."`,
    );
  });

  it("a scalar, and more columns than the bound", () => {
    const [scalar, wide] = [tensor(1), zeros([1, 65_537])];
    expect(refusal(() => rmsNorm(scalar))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: source: expected a last dimension of at least 1 column, received shape []."`,
    );
    expect(refusal(() => rmsNorm(wide))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: source: expected at most 65536 columns, received 65537."`,
    );
  });

  it("R32: a cotangent of 3 rows for 4", () => {
    const { saved } = rmsNorm.forward(source, weight);
    const [short, flat] = [zeros([1, 3]), zeros([6])];
    expect(refusal(() => rmsNorm.backward(saved, short))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: cotangent: expected shape [2, 3], received [1, 3]."`,
    );
    expect(refusal(() => rmsNorm.backward(saved, flat))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: cotangent: expected shape [2, 3], received [6]."`,
    );
  });
});

describe("types", () => {
  it("R32: anything but a tensor", () => {
    expect(refusal(() => rmsNorm(any(new Float64Array(4))))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: source: expected a tensor, received a Float64Array. Make one with tensor(values, shape)."`,
    );
    expect(refusal(() => rmsNorm(source, any(new Int32Array(3))))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: weight: expected a tensor, received a Int32Array. Make one with tensor(values, shape)."`,
    );
    expect(refusal(() => rmsNorm(any([[1, 2]])))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: source: expected a tensor, received an array. Make one with tensor(values, shape)."`,
    );
    expect(refusal(() => rmsNorm(any(undefined)))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: source: expected a tensor, received undefined."`,
    );
    expect(refusal(() => rmsNorm(any(null), weight))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: source: expected a tensor, received null."`,
    );
    class Matrix {
      readonly shape = [2, 3];
      readonly dtype = "float32";
    }
    expect(refusal(() => rmsNorm(any(new Matrix())))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: source: expected a tensor, received a Matrix."`,
    );
    expect(refusal(() => rmsNorm(any({ shape: [2, 3], dtype: "float32" })))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: source: expected a tensor, received an object."`,
    );
  });

  it("integers, for the source, the weight and the cotangent", () => {
    const [whole, wholeWeight] = [
      tensor(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        null,
        "int32",
      ),
      tensor([1, 2, 3], null, "uint32"),
    ];
    expect(refusal(() => rmsNorm(whole))).toMatchInlineSnapshot(
      `"DtypeError (TypeError): rmsNorm: source: expected float32, float16, bfloat16, received int32."`,
    );
    expect(refusal(() => rmsNorm(source, wholeWeight))).toMatchInlineSnapshot(
      `"DtypeError (TypeError): rmsNorm: weight: expected float32, float16, bfloat16, received uint32."`,
    );
    const { saved } = rmsNorm.forward(source, weight);
    expect(refusal(() => rmsNorm.backward(saved, whole))).toMatchInlineSnapshot(
      `"DtypeError (TypeError): rmsNorm: cotangent: expected float32, received int32. Convert it with tensor.cast(dtype)."`,
    );
  });

  it("a cotangent that is neither float32 nor of the output's type", () => {
    const half = tensor([[1, 2, 3]], null, "float16");
    const [wrong, right] = [half.cast("bfloat16"), half.cast("float32")];
    const { saved } = rmsNorm.forward(half);
    expect(refusal(() => rmsNorm.backward(saved, wrong))).toMatchInlineSnapshot(
      `"DtypeError (TypeError): rmsNorm: cotangent: expected float16 or float32, received bfloat16. Convert it with tensor.cast(dtype)."`,
    );
    expect(rmsNorm.backward(saved, right).source.shape).toEqual([1, 3]);
  });
});

describe("options", () => {
  it("an epsilon that is not above 0 and finite in float32", () => {
    expect(refusal(() => rmsNorm(source, weight, { epsilon: 0 }))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: epsilon: expected a finite number above 0, in float32 too, received 0."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { epsilon: -1e-5 }))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: epsilon: expected a finite number above 0, in float32 too, received -0.00001."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { epsilon: Number.NaN }))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: epsilon: expected a finite number above 0, in float32 too, received NaN."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { epsilon: 1e-60 }))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: epsilon: expected a finite number above 0, in float32 too, received 1e-60."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { epsilon: 1e60 }))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: epsilon: expected a finite number above 0, in float32 too, received 1e+60."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { epsilon: Number.POSITIVE_INFINITY }))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: epsilon: expected a finite number above 0, in float32 too, received Infinity."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { epsilon: "1e-5" as never }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: epsilon: expected a finite number above 0, in float32 too, received "1e-5"."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { epsilon: null as never }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: epsilon: expected a finite number above 0, in float32 too, received null."`,
    );
  });

  it("an offset that is not finite, an unknown casting, gradient type or option", () => {
    expect(refusal(() => rmsNorm(source, weight, { offset: Number.NaN }))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): rmsNorm: offset: expected a finite number, received NaN."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { casting: "none" as never }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: casting: expected "gemma" or "llama", received "none"."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { gradientType: "float16" as never }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: gradientType: expected "float32" or "input", received "float16"."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { eps: 1e-5 } as never))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: options: expected epsilon, offset, casting, wanted, gradientType, received "eps"."`,
    );
    expect(refusal(() => rmsNorm(source, weight, { inPlace: true } as never))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: options: expected epsilon, offset, casting, wanted, gradientType, received "inPlace"."`,
    );
  });

  it("options where there is no place for them, and one argument too many", () => {
    const call = rmsNorm as unknown as (...parameters: unknown[]) => unknown;
    expect(refusal(() => call({ epsilon: 1e-5 }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: source: expected a tensor, received an object."`,
    );
    expect(refusal(() => call(source, weight, weight))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: expected at most 2 tensors (source, weight) and an options object, received a float32 tensor [3] after them."`,
    );
    expect(refusal(() => call(source, weight, 1e-5))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: expected at most 2 tensors (source, weight) and an options object, received 0.00001 after them."`,
    );
    expect(refusal(() => call(source, weight, {}, {}))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: expected at most 2 tensors (source, weight) and an options object, received an object after them."`,
    );
  });

  it("wanted: an unknown name, an input that is not there, no list", () => {
    const { saved } = rmsNorm.forward(source, weight, { wanted: ["source"] });
    const cotangent = zeros([2, 3]);
    expect(refusal(() => rmsNorm.forward(source, weight, { wanted: ["bias" as never] }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: wanted: expected names among "source", "weight", received "bias"."`,
    );
    expect(refusal(() => rmsNorm.forward(source, { wanted: ["weight"] }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: wanted: expected names among "source", received "weight"."`,
    );
    expect(refusal(() => rmsNorm.forward(source, weight, { wanted: 1 as never }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: wanted: expected a list of names of inputs, received 1."`,
    );
    expect(refusal(() => rmsNorm.backward(saved, cotangent, { wanted: ["weight"] }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: wanted: expected names among "source", received "weight"."`,
    );
    expect(refusal(() => rmsNorm.backward(saved, cotangent, { gradientType: "half" as never }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: gradientType: expected "float32" or "input", received "half"."`,
    );
    const gradients = rmsNorm.backward(saved, cotangent);
    expect(refusal(() => gradients.weight)).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): rmsNorm: weight: expected a gradient that was asked for, received one that was not wanted, or an input that was not given. Name "weight" in wanted, at forward and backward, or leave wanted out."`,
    );
  });
});
