import { describe, expect, it } from "vitest";
import { type ArgumentError, LifetimeError, ShapeError, zeros } from "../../src/index.js";
import { thrown } from "../support/thrown.js";

describe("views refuse", () => {
  const made = zeros([2, 3]);
  const message = (run: () => unknown): string => {
    const error = thrown<ShapeError | ArgumentError>(run);
    expect(error).toBeInstanceOf(ShapeError);
    return error.message;
  };

  it("a reshape to another number of elements", () => {
    expect(message(() => made.reshape([4]))).toMatchInlineSnapshot(
      `"Tensor.reshape: shape: expected a shape of 6 elements, as [2, 3] has, received [4]."`,
    );
    expect(message(() => made.reshape([4, -1]))).toMatchInlineSnapshot(
      `"Tensor.reshape: shape: expected a shape of 6 elements, as [2, 3] has, received [4, -1]."`,
    );
    expect(message(() => made.reshape([-1, -1]))).toMatchInlineSnapshot(
      `"Tensor.reshape: shape: expected a shape of 6 elements, as [2, 3] has, received [-1, -1]."`,
    );
    expect(message(() => made.reshape([-2, -3]))).toMatchInlineSnapshot(
      `"Tensor.reshape: shape: expected a shape of 6 elements, as [2, 3] has, received [-2, -3]."`,
    );
    expect(message(() => made.reshape([0, -1]))).toMatchInlineSnapshot(
      `"Tensor.reshape: shape: expected a shape of 6 elements, as [2, 3] has, received [0, -1]."`,
    );
    expect(message(() => made.reshape([1.5, 4]))).toMatchInlineSnapshot(
      `"Tensor.reshape: shape: expected a shape of 6 elements, as [2, 3] has, received [1.5, 4]."`,
    );
    expect(message(() => made.reshape(6 as never))).toMatchInlineSnapshot(
      `"Tensor.reshape: shape: expected a list of whole numbers >= 0, such as [2, 3], received 6."`,
    );
  });

  it("an order that is no permutation", () => {
    expect(message(() => made.transpose([0]))).toMatchInlineSnapshot(
      `"Tensor.transpose: order: expected each of the dimensions 0 to 1 once, received [0]."`,
    );
    expect(message(() => made.transpose([0, 0]))).toMatchInlineSnapshot(
      `"Tensor.transpose: order: expected each of the dimensions 0 to 1 once, received [0, 0]."`,
    );
    expect(message(() => made.transpose([1, 2]))).toMatchInlineSnapshot(
      `"Tensor.transpose: order: expected each of the dimensions 0 to 1 once, received [1, 2]."`,
    );
    expect(message(() => made.transpose([-1, 0]))).toMatchInlineSnapshot(
      `"Tensor.transpose: order: expected each of the dimensions 0 to 1 once, received [-1, 0]."`,
    );
  });

  it("a slice outside the tensor", () => {
    expect(message(() => made.slice([3]))).toMatchInlineSnapshot(
      `"Tensor.slice: begin[0], size[0]: expected a range within 0 to 2, received 3 and -1."`,
    );
    expect(message(() => made.slice([0, 1], [2, 3]))).toMatchInlineSnapshot(
      `"Tensor.slice: begin[1], size[1]: expected a range within 0 to 3, received 1 and 3."`,
    );
    expect(message(() => made.slice([-1]))).toMatchInlineSnapshot(
      `"Tensor.slice: begin[0], size[0]: expected a range within 0 to 2, received -1 and -1."`,
    );
    expect(message(() => made.slice([0], [-2]))).toMatchInlineSnapshot(
      `"Tensor.slice: begin[0], size[0]: expected a range within 0 to 2, received 0 and -2."`,
    );
    expect(message(() => made.slice([0.5]))).toMatchInlineSnapshot(
      `"Tensor.slice: begin[0], size[0]: expected a range within 0 to 2, received 0.5 and -1."`,
    );
    expect(message(() => made.slice([0, 0, 0]))).toMatchInlineSnapshot(
      `"Tensor.slice: begin: expected at most 2 numbers, received [0, 0, 0]."`,
    );
    expect(message(() => made.slice([0], [1, 1]))).toMatchInlineSnapshot(
      `"Tensor.slice: size: expected at most 1 numbers, received [1, 1]."`,
    );
  });

  it("a shape that it does not repeat to", () => {
    expect(message(() => made.expand([3, 3]))).toMatchInlineSnapshot(
      `"Tensor.expand: shape: expected a shape that [2, 3] repeats to: equal extents, or 1, from the last dimension on, received [3, 3]."`,
    );
    expect(message(() => made.expand([3]))).toMatchInlineSnapshot(
      `"Tensor.expand: shape: expected a shape that [2, 3] repeats to: equal extents, or 1, from the last dimension on, received [3]."`,
    );
    expect(message(() => made.expand([2, 3, 1]))).toMatchInlineSnapshot(
      `"Tensor.expand: shape: expected a shape that [2, 3] repeats to: equal extents, or 1, from the last dimension on, received [2, 3, 1]."`,
    );
    expect(message(() => made.expand([-1, 3]))).toMatchInlineSnapshot(
      `"Tensor.expand: shape: expected whole numbers >= 0 with a product below 2^53, received [-1, 3]."`,
    );
  });

  it("strides that reach past the storage, or are none", () => {
    expect(message(() => made.asStrided([2, 3], [4, 1]))).toMatchInlineSnapshot(
      `"Tensor.asStrided: shape, strides, offset: expected elements below 6, the size of the storage, received element 6."`,
    );
    expect(message(() => made.asStrided([1], [1], 6))).toMatchInlineSnapshot(
      `"Tensor.asStrided: shape, strides, offset: expected elements below 6, the size of the storage, received element 6."`,
    );
    expect(message(() => made.asStrided([2], [2 ** 53 - 1]))).toMatchInlineSnapshot(
      `"Tensor.asStrided: shape, strides, offset: expected elements below 6, the size of the storage, received element 9007199254740991."`,
    );
    expect(() => made.asStrided([2], [-1])).toThrow(RangeError);
    expect(() => made.asStrided([2, 1], [1])).toThrow(/strides/);
    expect(() => made.asStrided([2], [1], -1)).toThrow(/offset/);
    expect(() => made.asStrided([2], [1], 0.5)).toThrow(/offset/);
  });

  it("a tensor that was disposed of", () => {
    const gone = zeros([2, 3]);
    gone.dispose();
    const uses: (() => unknown)[] = [
      () => gone.reshape([6]),
      () => gone.transpose(),
      () => gone.slice([0]),
      () => gone.expand([2, 3]),
      () => gone.asStrided([1], [1]),
      () => gone.handle(),
      () => gone.clone(),
      () => gone.contiguous(),
      () => gone.cast("int32"),
      () => gone.write([1, 2, 3, 4, 5, 6]),
      () => gone.storage,
      () => gone.to("cpu"),
    ];
    for (const use of uses) expect(thrown(use)).toBeInstanceOf(LifetimeError);
    expect(thrown(() => gone.handle()).message).toMatchInlineSnapshot(
      `"tensor [2, 3] float32: expected a live tensor, received one that was disposed of."`,
    );
    expect(thrown(() => gone.handle())).toBeInstanceOf(TypeError);
  });
});
