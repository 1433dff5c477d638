import { describe, expect, it } from "vitest";
import { ArgumentError, LifetimeError, ShapeError, tensor, zeros } from "../../src/index.js";
import { balanced } from "../support/memory.js";
import { thrown } from "../support/thrown.js";

describe("write", () => {
  it("takes what tensor() takes, in the tensor's type", () => {
    const made = zeros([2, 2], "bfloat16");
    made.write([
      [1, 2],
      [3, 4],
    ]);
    expect(Array.from(made.dataSync())).toEqual([1, 2, 3, 4]);
    made.write(Uint16Array.of(0x3f80, 0, 0, 0xbf80));
    expect(Array.from(made.dataSync())).toEqual([1, 0, 0, -1]);
    made.write(Float64Array.of(1 + 2 ** -8 + 2 ** -40, 0, 0, 0));
    expect(made.bitsSync()[0]).toBe(0x3f81);
    const flags = zeros([2], "bool");
    flags.write([true, false]);
    expect(Array.from(flags.dataSync())).toEqual([1, 0]);
    const scalar = zeros([]);
    scalar.write(5);
    expect(Array.from(scalar.dataSync())).toEqual([5]);
  });

  it("copies at the call", async () => {
    const made = zeros([70_000]);
    const values = new Float32Array(70_000).fill(1);
    made.write(values);
    values.fill(2);
    expect(new Set(await made.data())).toEqual(new Set([1]));
  });

  it("through a contiguous view changes its part alone", () => {
    const made = tensor([1, 2, 3, 4, 5, 6], [3, 2]);
    made.slice([1], [1]).write([9, 9]);
    expect(Array.from(made.dataSync())).toEqual([1, 2, 9, 9, 5, 6]);
  });

  it("of nothing to an empty tensor is fine, also to a transposed one", () => {
    zeros([0]).write([]);
    zeros([3, 0]).transpose().write(new Float32Array(0));
  });

  it("follows what was queued before, in order", () => {
    const made = tensor([1, 1]);
    const copies = [];
    for (let round = 0; round < 50; round += 1) {
      made.write([round, 1 + round]);
      copies.push(made.clone());
    }
    copies.forEach((copy, round) => {
      expect(Array.from(copy.dataSync())).toEqual([round, 1 + round]);
    });
  });

  it("is what raises the storage's version, and nothing but a write is", () => {
    const made = tensor([
      [1, 2],
      [3, 4],
    ]);
    const before = made.storage.version;
    made.dataSync();
    made.cast("int32");
    made.transpose().clone();
    made.handle().dispose();
    expect(made.storage.version).toBe(before);
    made.write([1, 2, 3, 4]);
    const after = made.storage.version;
    expect(after).toBeGreaterThan(before);
    made.reshape([4]).write([1, 2, 3, 4]);
    expect(made.storage.version).toBeGreaterThan(after);
  });
});

describe("write refuses, and leaves values and version alone:", () => {
  const made = tensor([1, 2, 3, 4], [2, 2]);
  const message = (kind: new (...facts: never[]) => Error, run: () => unknown): string =>
    balanced(() => {
      const version = made.storage.version;
      const error = thrown(run);
      expect(error).toBeInstanceOf(kind);
      expect(made.storage.version).toBe(version);
      expect(Array.from(made.dataSync())).toEqual([1, 2, 3, 4]);
      return error.message;
    });

  it("another number of values", () => {
    expect(message(ShapeError, () => made.write([1, 2, 3]))).toMatchInlineSnapshot(
      `"Tensor.write: values: expected 4 values for shape [2, 2], received 3."`,
    );
    expect(message(ShapeError, () => made.write(new Float32Array(5)))).toMatchInlineSnapshot(
      `"Tensor.write: values: expected 4 values for shape [2, 2], received 5."`,
    );
  });

  it("values that the type does not hold", () => {
    const whole = zeros([1], "int32");
    expect(message(ShapeError, () => whole.write([0.5]))).toMatchInlineSnapshot(
      `"Tensor.write: values[0]: expected a whole number from -2147483648 to 2147483647 (int32), received 0.5."`,
    );
    expect(message(ArgumentError, () => made.write("1234" as never))).toMatchInlineSnapshot(
      `"Tensor.write: values: expected a number, a typed array, or nested arrays of numbers, received "1234"."`,
    );
    expect(() => zeros([1], "bool").write([2])).toThrow(RangeError);
  });

  it("a view with gaps", () => {
    expect(message(ArgumentError, () => made.transpose().write([1, 2, 3, 4]))).toMatchInlineSnapshot(
      `"Tensor.write: this: expected a contiguous tensor, received strides [1, 2] for shape [2, 2]."`,
    );
    expect(message(ArgumentError, () => made.slice([0, 1]).write([1, 2]))).toMatchInlineSnapshot(
      `"Tensor.write: this: expected a contiguous tensor, received strides [2, 1] for shape [2, 1]."`,
    );
    expect(() => made.slice([0], [1]).expand([2, 2]).write([1, 2, 3, 4])).toThrow(TypeError);
  });

  it("a disposed tensor", () => {
    const gone = zeros([1]);
    gone.dispose();
    expect(thrown(() => gone.write([1]))).toBeInstanceOf(LifetimeError);
  });
});
