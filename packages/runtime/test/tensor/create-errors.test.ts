import { describe, expect, it } from "vitest";
import { ArgumentError, DtypeError, full, MetileError, ones, ShapeError, tensor, zeros } from "../../src/index.js";
import { balanced } from "../support/memory.js";
import { thrown } from "../support/thrown.js";

/** The message of what is thrown, which must be of a class and leave nothing allocated. */
function message(kind: new (...facts: never[]) => Error, run: () => unknown): string {
  return balanced(() => {
    const error = thrown(run);
    expect(error).toBeInstanceOf(kind);
    expect(error).toBeInstanceOf(MetileError);
    expect(error.name).toBe(kind.name);
    return error.message;
  });
}

const untyped = tensor as (...parameters: unknown[]) => unknown;

describe("tensor refuses", () => {
  it("a count that is not the shape's", () => {
    expect(message(ShapeError, () => tensor([1, 2, 3], [2, 2]))).toMatchInlineSnapshot(
      `"tensor: values: expected 4 values for shape [2, 2], received 3."`,
    );
    expect(message(ShapeError, () => tensor(new Float32Array(5), [2, 2], "bfloat16"))).toMatchInlineSnapshot(
      `"tensor: values: expected 4 values for shape [2, 2], received 5."`,
    );
    expect(message(ShapeError, () => tensor([], []))).toMatchInlineSnapshot(
      `"tensor: values: expected 1 values for shape [], received 0."`,
    );
    expect(message(ShapeError, () => tensor(new Float32Array(5000), [4999], "bfloat16"))).toMatchInlineSnapshot(
      `"tensor: values: expected 4999 values for shape [4999], received 5000."`,
    );
  });

  it("ragged arrays, with the place", () => {
    expect(message(ShapeError, () => tensor([[1, 2], [3]]))).toMatchInlineSnapshot(
      `"tensor: values[1]: expected nested arrays of one shape, as the first elements have: [2, 2], received an array of 1."`,
    );
    expect(message(ShapeError, () => tensor([1, [2]]))).toMatchInlineSnapshot(
      `"tensor: values[1]: expected nested arrays of one shape, as the first elements have: [2], received an array of 1."`,
    );
    expect(message(ShapeError, () => tensor([[1], 2]))).toMatchInlineSnapshot(
      `"tensor: values[1]: expected nested arrays of one shape, as the first elements have: [2, 1], received 2."`,
    );
    expect(message(ShapeError, () => tensor([[], [1]]))).toMatchInlineSnapshot(
      `"tensor: values[1]: expected nested arrays of one shape, as the first elements have: [2, 0], received an array of 1."`,
    );
    expect(message(ShapeError, () => tensor([[1, 2], [3]], [3]))).toMatchInlineSnapshot(
      `"tensor: values[1]: expected nested arrays of one shape, as the first elements have: [2, 2], received an array of 1."`,
    );
  });

  it("whole numbers out of the type's range, with the place", () => {
    expect(message(ShapeError, () => tensor([0, 2 ** 31], null, "int32"))).toMatchInlineSnapshot(
      `"tensor: values[1]: expected a whole number from -2147483648 to 2147483647 (int32), received 2147483648."`,
    );
    expect(message(ShapeError, () => tensor([-1], null, "uint32"))).toMatchInlineSnapshot(
      `"tensor: values[0]: expected a whole number from 0 to 4294967295 (uint32), received -1."`,
    );
    expect(message(ShapeError, () => tensor(BigInt64Array.of(0n, 2n ** 31n)))).toMatchInlineSnapshot(
      `"tensor: values[1]: expected a whole number from -2147483648 to 2147483647 (int32), received 2147483648."`,
    );
    expect(message(ShapeError, () => tensor([-(2n ** 31n) - 1n]))).toMatchInlineSnapshot(
      `"tensor: values[0]: expected a whole number from -2147483648 to 2147483647 (int32), received -2147483649."`,
    );
    expect(message(ShapeError, () => tensor(BigUint64Array.of(2n ** 32n), null, "uint32"))).toMatchInlineSnapshot(
      `"tensor: values[0]: expected a whole number from 0 to 4294967295 (uint32), received 4294967296."`,
    );
    expect(message(ShapeError, () => tensor([0, 1, 2], null, "bool"))).toMatchInlineSnapshot(
      `"tensor: values[2]: expected a whole number from 0 to 1 (bool), received 2."`,
    );
  });

  it("fractions and NaN as whole numbers", () => {
    expect(message(ShapeError, () => tensor([1.5], null, "int32"))).toMatchInlineSnapshot(
      `"tensor: values[0]: expected a whole number from -2147483648 to 2147483647 (int32), received 1.5."`,
    );
    expect(message(ShapeError, () => tensor(Float32Array.of(Number.NaN), null, "int32"))).toMatchInlineSnapshot(
      `"tensor: values[0]: expected a whole number from -2147483648 to 2147483647 (int32), received NaN."`,
    );
    expect(message(ShapeError, () => tensor([Number.POSITIVE_INFINITY], null, "uint32"))).toMatchInlineSnapshot(
      `"tensor: values[0]: expected a whole number from 0 to 4294967295 (uint32), received Infinity."`,
    );
  });

  it("arrays that could mean several types", () => {
    expect(message(DtypeError, () => tensor(Uint16Array.of(1)))).toMatchInlineSnapshot(
      `"tensor: dtype: expected a type, since the values can mean several ("bfloat16" or "float16" bits, "int32", "bool"), received a Uint16Array and no dtype."`,
    );
    expect(message(DtypeError, () => tensor(Uint8Array.of(1)))).toMatchInlineSnapshot(
      `"tensor: dtype: expected a type, since the values can mean several ("bfloat16" or "float16" bits, "int32", "bool"), received a Uint8Array and no dtype."`,
    );
    expect(message(DtypeError, () => tensor(Uint8ClampedArray.of(1)))).toMatchInlineSnapshot(
      `"tensor: dtype: expected a type, since the values can mean several ("bfloat16" or "float16" bits, "int32", "bool"), received a Uint8ClampedArray and no dtype."`,
    );
    expect(message(DtypeError, () => tensor(Buffer.from([1])))).toMatchInlineSnapshot(
      `"tensor: dtype: expected a type, since the values can mean several ("bfloat16" or "float16" bits, "int32", "bool"), received a Uint8Array and no dtype."`,
    );
  });

  it("types that do not exist", () => {
    expect(message(DtypeError, () => untyped([1], [1], "float64"))).toMatchInlineSnapshot(
      `"tensor: dtype: expected one of "float32", "float16", "bfloat16", "int32", "uint32", "bool", received "float64"."`,
    );
    expect(message(DtypeError, () => untyped([1], [1], "toString"))).toMatchInlineSnapshot(
      `"tensor: dtype: expected one of "float32", "float16", "bfloat16", "int32", "uint32", "bool", received "toString"."`,
    );
    expect(
      message(DtypeError, () => (zeros as (...parameters: unknown[]) => unknown)([1], "int64")),
    ).toMatchInlineSnapshot(
      `"zeros: dtype: expected one of "float32", "float16", "bfloat16", "int32", "uint32", "bool", received "int64"."`,
    );
    expect(
      message(DtypeError, () => (full as (...parameters: unknown[]) => unknown)([1], 1, 32)),
    ).toMatchInlineSnapshot(
      `"full: dtype: expected one of "float32", "float16", "bfloat16", "int32", "uint32", "bool", received 32."`,
    );
  });

  it("what holds no numbers", () => {
    expect(message(ArgumentError, () => untyped("1, 2"))).toMatchInlineSnapshot(
      `"tensor: values: expected a number, a typed array, or nested arrays of numbers, received "1, 2"."`,
    );
    expect(message(ArgumentError, () => untyped(null))).toMatchInlineSnapshot(
      `"tensor: values: expected a number, a typed array, or nested arrays of numbers, received null."`,
    );
    expect(message(ArgumentError, () => untyped(undefined))).toMatchInlineSnapshot(
      `"tensor: values: expected a number, a typed array, or nested arrays of numbers, received undefined."`,
    );
    expect(message(ArgumentError, () => untyped({ length: 2 }))).toMatchInlineSnapshot(
      `"tensor: values: expected a number, a typed array, or nested arrays of numbers, received an object."`,
    );
    expect(message(ArgumentError, () => untyped(new DataView(new ArrayBuffer(4))))).toMatchInlineSnapshot(
      `"tensor: values: expected a number, a typed array, or nested arrays of numbers, received a DataView."`,
    );
    expect(message(ArgumentError, () => untyped([1, "2"]))).toMatchInlineSnapshot(
      `"tensor: values[1]: expected a number, bigint or boolean, received string."`,
    );
    expect(message(ArgumentError, () => untyped([1, null]))).toMatchInlineSnapshot(
      `"tensor: values[1]: expected a number, bigint or boolean, received null."`,
    );
    expect(message(ArgumentError, () => untyped(new Array(2)))).toMatchInlineSnapshot(
      `"tensor: values[0]: expected a number, bigint or boolean, received undefined."`,
    );
  });

  it("shapes that are none", () => {
    expect(message(ShapeError, () => tensor([1], [-1]))).toMatchInlineSnapshot(
      `"tensor: shape: expected whole numbers >= 0 with a product below 2^53, received [-1]."`,
    );
    expect(message(ShapeError, () => zeros([2.5]))).toMatchInlineSnapshot(
      `"zeros: shape: expected whole numbers >= 0 with a product below 2^53, received [2.5]."`,
    );
    expect(message(ShapeError, () => ones([Number.NaN]))).toMatchInlineSnapshot(
      `"ones: shape: expected whole numbers >= 0 with a product below 2^53, received [NaN]."`,
    );
    expect(message(ShapeError, () => untyped([1], 1))).toMatchInlineSnapshot(
      `"tensor: shape: expected a list of whole numbers >= 0, such as [2, 3], received 1."`,
    );
    expect(message(ShapeError, () => zeros([2 ** 30, 2 ** 30]))).toMatchInlineSnapshot(
      `"zeros: shape: expected whole numbers >= 0 with a product below 2^53, received [1073741824, 1073741824]."`,
    );
    expect(message(ShapeError, () => (full as (...parameters: unknown[]) => unknown)("2", 1))).toMatchInlineSnapshot(
      `"full: shape: expected a list of whole numbers >= 0, such as [2, 3], received "2"."`,
    );
  });
});

it("full refuses a value that is no number of the type, in its own name", () => {
  expect(message(ArgumentError, () => (full as (...parameters: unknown[]) => unknown)([2], "1"))).toMatch(
    /^full: value: /,
  );
  expect(message(ShapeError, () => full([2], 1.5, "int32"))).toMatch(/^full: value/);
});

it("an error carries its facts as data, and no others", () => {
  const error = thrown<ShapeError>(() => tensor([1, 2, 3], [2, 2]));
  expect({ ...error }).toEqual({
    operation: "tensor",
    argument: "values",
    expected: "4 values for shape [2, 2]",
    received: "3",
  });
  expect(Object.keys(error)).not.toContain("hint");
  expect(error).toBeInstanceOf(RangeError);
  expect(error.stack?.split("\n")[0]).toBe(`ShapeError: ${error.message}`);
});
