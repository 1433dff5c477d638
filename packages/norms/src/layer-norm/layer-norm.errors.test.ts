import { type Tensor, tensor, zeros } from "@metile/runtime";
import { expect, it } from "vitest";
import { refusal } from "../../test/refusal.js";
import { layerNorm } from "./layer-norm.js";

const source = tensor([
  [1, 2, 3],
  [4, 5, 6],
]);
const weight = tensor([1, 2, 3]);
const bias = tensor([1, 1, 1]);
const any = (value: unknown): Tensor => value as Tensor;

it("weight and bias of the wrong shape", () => {
  const wrong = zeros([7]);
  expect(refusal(() => layerNorm(source, wrong))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: weight: expected shape [3], received [7]."`,
  );
  expect(refusal(() => layerNorm(source, weight, wrong))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: bias: expected shape [3], received [7]."`,
  );
});

it("a normalizedShape that is not the source's", () => {
  const x = zeros([2, 3, 4]);
  const [flat, right] = [zeros([12]), zeros([3, 4])];
  expect(refusal(() => layerNorm(x, { normalizedShape: [3] }))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: normalizedShape: expected trailing dimensions of the source's shape [2, 3, 4], received [3]."`,
  );
  expect(refusal(() => layerNorm(x, { normalizedShape: [2, 2, 3, 4] }))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: normalizedShape: expected trailing dimensions of the source's shape [2, 3, 4], received [2, 2, 3, 4]."`,
  );
  expect(refusal(() => layerNorm(x, { normalizedShape: [] }))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: normalizedShape: expected trailing dimensions of the source's shape [2, 3, 4], received []."`,
  );
  expect(refusal(() => layerNorm(x, { normalizedShape: [3, 0.5] }))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): layerNorm: normalizedShape: expected a list of whole numbers above 0, received an array."`,
  );
  expect(refusal(() => layerNorm(x, { normalizedShape: 4 as never }))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): layerNorm: normalizedShape: expected a list of whole numbers above 0, received 4."`,
  );
  expect(refusal(() => layerNorm(x, flat, right, { normalizedShape: [3, 4] }))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: weight: expected shape [3, 4], received [12]."`,
  );
});

it("more elements a row than the bound, whatever their dimensions", () => {
  const [wide, square] = [zeros([1, 65_537]), zeros([1, 257, 256])];
  expect(refusal(() => layerNorm(wide))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: source: expected at most 65536 columns, received 65537."`,
  );
  expect(refusal(() => layerNorm(square, { normalizedShape: [257, 256] }))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: source: expected at most 65536 elements in normalizedShape, received 65792."`,
  );
});

it("a scalar, no tensor, and tensors of integers", () => {
  const [scalar, whole] = [tensor(1), tensor([[1, 2, 3]], null, "int32")];
  expect(refusal(() => layerNorm(scalar))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: source: expected a last dimension of at least 1 column, received shape []."`,
  );
  expect(refusal(() => layerNorm(any(new Float32Array(3))))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): layerNorm: source: expected a tensor, received a Float32Array. Make one with tensor(values, shape)."`,
  );
  expect(refusal(() => layerNorm(source, weight, any([1, 2, 3])))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): layerNorm: bias: expected a tensor, received an array. Make one with tensor(values, shape)."`,
  );
  expect(refusal(() => layerNorm(whole))).toMatchInlineSnapshot(
    `"DtypeError (TypeError): layerNorm: source: expected float32, float16, bfloat16, received int32."`,
  );
});

it("bad and unknown options", () => {
  expect(refusal(() => layerNorm(source, weight, bias, { epsilon: 0 }))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: epsilon: expected a finite number above 0, in float32 too, received 0."`,
  );
  expect(refusal(() => layerNorm(source, weight, bias, { epsilon: 1e-60 }))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): layerNorm: epsilon: expected a finite number above 0, in float32 too, received 1e-60."`,
  );
  expect(refusal(() => layerNorm(source, weight, bias, { offset: 1 } as never))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): layerNorm: options: expected epsilon, normalizedShape, wanted, gradientType, received "offset"."`,
  );
  expect(refusal(() => layerNorm(source, weight, bias, { wanted: ["beta" as never] }))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): layerNorm: wanted: expected names among "source", "weight", "bias", received "beta"."`,
  );
});

it("gradients that were not asked for, or of inputs that are not there", () => {
  const { saved } = layerNorm.forward(source, null, bias);
  const gradients = layerNorm.backward(saved, source);
  expect(refusal(() => gradients.weight)).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): layerNorm: weight: expected a gradient that was asked for, received one that was not wanted, or an input that was not given. Name "weight" in wanted, at forward and backward, or leave wanted out."`,
  );
  expect(refusal(() => layerNorm.backward(saved, source, { wanted: ["weight"] }))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): layerNorm: wanted: expected names among "source", "bias", received "weight"."`,
  );
});

it("a source that was written to; the bias may be, since no gradient depends on it", () => {
  const [x, shift] = [tensor([[1, 2, 3]]), tensor([1, 2, 3])];
  const { saved } = layerNorm.forward(x, null, shift);
  const cotangent = tensor([[1, 2, 3]]);
  shift.write([7, 8, 9]);
  expect([...layerNorm.backward(saved, cotangent).bias.dataSync()]).toEqual([1, 2, 3]);
  x.write([[3, 2, 1]]);
  expect(refusal(() => layerNorm.backward(saved, cotangent))).toMatchInlineSnapshot(
    `"LifetimeError (TypeError): layerNorm: saved: expected "source" as the forward pass left it, received a tensor that was written to since. Run backward before writing to it, or run forward on a clone."`,
  );
});
