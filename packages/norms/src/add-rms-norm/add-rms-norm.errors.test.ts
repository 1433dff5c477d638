import { type Tensor, tensor, zeros } from "@metile/runtime";
import { describe, expect, it } from "vitest";
import { refusal } from "../../test/refusal.js";
import { addRmsNorm, rmsNorm } from "../index.js";

const source = tensor([
  [1, 2, 3],
  [4, 5, 6],
]);
const residual = tensor([
  [6, 5, 4],
  [3, 2, 1],
]);
const weight = tensor([1, 2, 3]);
const any = (value: unknown): Tensor => value as Tensor;

it("a residual that is missing, of another shape, of another type", () => {
  const [short, expandable] = [zeros([1, 3]), zeros([3])];
  const half = residual.cast("bfloat16");
  expect(refusal(() => addRmsNorm(source, any(undefined)))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): addRmsNorm: residual: expected a tensor, received undefined."`,
  );
  expect(refusal(() => addRmsNorm(source, short, weight))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): addRmsNorm: residual: expected shape [2, 3], received [1, 3]."`,
  );
  expect(refusal(() => addRmsNorm(source, expandable, weight))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): addRmsNorm: residual: expected shape [2, 3], received [3]."`,
  );
  expect(refusal(() => addRmsNorm(source, half, weight))).toMatchInlineSnapshot(
    `"DtypeError (TypeError): addRmsNorm: residual: expected the source's type, float32, received bfloat16. Convert one of them with tensor.cast(dtype)."`,
  );
  expect(refusal(() => addRmsNorm(half, source, weight))).toMatchInlineSnapshot(
    `"DtypeError (TypeError): addRmsNorm: residual: expected the source's type, bfloat16, received float32. Convert one of them with tensor.cast(dtype)."`,
  );
});

it("a weight of the wrong shape, too many columns, none", () => {
  const [wrong, wide, empty] = [zeros([7]), zeros([1, 65_537]), zeros([3, 0])];
  expect(refusal(() => addRmsNorm(source, residual, wrong))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): addRmsNorm: weight: expected shape [3], received [7]."`,
  );
  expect(refusal(() => addRmsNorm(wide, wide))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): addRmsNorm: source: expected at most 65536 columns, received 65537."`,
  );
  expect(refusal(() => addRmsNorm(empty, empty))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): addRmsNorm: source: expected a last dimension of at least 1 column, received shape [3, 0]."`,
  );
});

it("bad and unknown options", () => {
  expect(refusal(() => addRmsNorm(source, residual, weight, { epsilon: Number.NaN }))).toMatchInlineSnapshot(
    `"ShapeError (RangeError): addRmsNorm: epsilon: expected a finite number above 0, in float32 too, received NaN."`,
  );
  expect(refusal(() => addRmsNorm(source, residual, weight, { sum: "float32" as never }))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): addRmsNorm: sum: expected "native" or "rounded", received "float32"."`,
  );
  expect(refusal(() => addRmsNorm(source, residual, weight, { inPlace: true } as never))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): addRmsNorm: options: expected epsilon, offset, casting, sum, wanted, gradientType, received "inPlace"."`,
  );
  expect(refusal(() => addRmsNorm.forward(source, residual, { wanted: ["weight"] }))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): addRmsNorm: wanted: expected names among "source", "residual", received "weight"."`,
  );
});

describe("cotangents", () => {
  it("a tensor where there are two outputs, none, an unknown name", () => {
    const { saved } = addRmsNorm.forward(source, residual, weight);
    expect(refusal(() => addRmsNorm.backward(saved, source))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): addRmsNorm: cotangents: expected an object with any of output, residual, since there are several outputs, received a tensor."`,
    );
    expect(refusal(() => addRmsNorm.backward(saved, {}))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): addRmsNorm: cotangents: expected a cotangent for at least one of output, residual, received none."`,
    );
    expect(refusal(() => addRmsNorm.backward(saved, { output: null, residual: undefined }))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): addRmsNorm: cotangents: expected a cotangent for at least one of output, residual, received none."`,
    );
    expect(refusal(() => addRmsNorm.backward(saved, { sum: source } as never))).toMatchInlineSnapshot(
      `"ArgumentError (TypeError): addRmsNorm: cotangents: expected output, residual, received "sum"."`,
    );
  });

  it("of the wrong shape or type", () => {
    const { saved } = addRmsNorm.forward(source, residual, weight);
    const [short, half] = [zeros([1, 3]), source.cast("float16")];
    expect(refusal(() => addRmsNorm.backward(saved, { residual: short }))).toMatchInlineSnapshot(
      `"ShapeError (RangeError): addRmsNorm: cotangents.residual: expected shape [2, 3], received [1, 3]."`,
    );
    expect(refusal(() => addRmsNorm.backward(saved, { output: half }))).toMatchInlineSnapshot(
      `"DtypeError (TypeError): addRmsNorm: cotangents.output: expected float32, received float16. Convert it with tensor.cast(dtype)."`,
    );
  });
});

it("saved values of another operation, and an addend that was written to", () => {
  const { saved } = rmsNorm.forward(source);
  expect(refusal(() => addRmsNorm.backward(saved as never, { output: source }))).toMatchInlineSnapshot(
    `"ArgumentError (TypeError): addRmsNorm: saved: expected what addRmsNorm.forward saved, received what rmsNorm.forward saved."`,
  );
  const stream = tensor(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    null,
    "bfloat16",
  );
  const half = source.cast("bfloat16");
  const own = addRmsNorm.forward(half, stream).saved;
  stream.write(new Float32Array(6));
  expect(refusal(() => addRmsNorm.backward(own, { output: half }))).toMatchInlineSnapshot(
    `"LifetimeError (TypeError): addRmsNorm: saved: expected "residual" as the forward pass left it, received a tensor that was written to since. Run backward before writing to it, or run forward on a clone."`,
  );
});

it("the residual output, where backward needs it, that was written to", () => {
  const { residual: stream, saved } = addRmsNorm.forward(source, residual, weight);
  stream.write(new Float32Array(6));
  expect(refusal(() => addRmsNorm.backward(saved, { output: source }))).toMatchInlineSnapshot(
    `"LifetimeError (TypeError): addRmsNorm: saved: expected "residual output" as the forward pass left it, received a tensor that was written to since. Run backward before writing to it, or run forward on a clone."`,
  );
});
