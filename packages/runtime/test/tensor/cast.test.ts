import { describe, expect, it } from "vitest";
import { type Dtype, DtypeError, tensor } from "../../src/index.js";
import { withThreads } from "../../src/testing.js";
import { boundaries, decode, differences, floatOfBits, type HalfType } from "../support/floats.js";
import { thrown } from "../support/thrown.js";

const dtypes = ["float32", "float16", "bfloat16", "int32", "uint32", "bool"] as const;
const infinity = Number.POSITIVE_INFINITY;

/** Values of a tensor of one type in another. */
function cast(values: readonly number[], from: Dtype, to: Dtype): number[] {
  const source = tensor(values, null, from);
  const made = source.cast(to);
  const read = Array.from(made.dataSync());
  expect(made.dtype).toBe(to);
  made.dispose();
  source.dispose();
  return read;
}

describe("cast", () => {
  it.each(dtypes.flatMap((from) => dtypes.map((to) => [from, to] as const)))(
    "%s to %s keeps 0 and 1, and small numbers where both hold them",
    (from, to) => {
      const values = from === "bool" || to === "bool" ? [0, 1, 1] : [0, 1, 100];
      expect(cast(values, from, to)).toEqual(values);
    },
  );

  it("floats to int32 go towards zero and saturate; NaN is 0", () => {
    const values = [
      1.9,
      -1.9,
      0.5,
      -0.5,
      2147483520,
      2147483648,
      1e20,
      -2147483648,
      -2147484000,
      -1e20,
      infinity,
      -infinity,
      Number.NaN,
    ];
    expect(cast(values, "float32", "int32")).toEqual([
      1, -1, 0, 0, 2147483520, 2147483647, 2147483647, -2147483648, -2147483648, -2147483648, 2147483647, -2147483648,
      0,
    ]);
  });

  it("floats to uint32 go towards zero and saturate; negative numbers and NaN are 0", () => {
    const values = [1.9, -0.9, -1, -1e20, 4294967040, 4294967296, 1e20, infinity, -infinity, Number.NaN];
    expect(cast(values, "float32", "uint32")).toEqual([
      1, 0, 0, 0, 4294967040, 4294967295, 4294967295, 4294967295, 0, 0,
    ]);
  });

  it.each(["float16", "bfloat16"] as const)("%s to integers: the same", (type) => {
    expect(cast([1.5, -1.5, infinity, -infinity, Number.NaN], type, "int32")).toEqual([
      1, -1, 2147483647, -2147483648, 0,
    ]);
    expect(cast([1.5, -1.5, infinity, -infinity, Number.NaN], type, "uint32")).toEqual([1, 0, 4294967295, 0, 0]);
  });

  it("int32 and uint32 to floats round to nearest even", () => {
    expect(cast([2147483647, -2147483648, 16777217, 16777219], "int32", "float32")).toEqual([
      2147483648, -2147483648, 16777216, 16777220,
    ]);
    expect(cast([4294967295, 16777217], "uint32", "float32")).toEqual([4294967296, 16777216]);
    expect(cast([2049, 2051, 65519, 65520, -65520], "int32", "float16")).toEqual([
      2048,
      2052,
      65504,
      infinity,
      -infinity,
    ]);
    expect(cast([257, 259], "int32", "bfloat16")).toEqual([256, 260]);
  });

  it("whole numbers to half types round once, not by way of float32", () => {
    // 2^24 + 2^16 is a middle of bfloat16 at 2^24; one more is lost in float32, whose step is 2 there.
    expect(cast([2 ** 24 + 2 ** 16, 2 ** 24 + 2 ** 16 + 1], "int32", "bfloat16")).toEqual([2 ** 24, 2 ** 24 + 2 ** 17]);
    expect(cast([2 ** 24 + 2 ** 16, 2 ** 24 + 2 ** 16 + 1], "uint32", "bfloat16")).toEqual([
      2 ** 24,
      2 ** 24 + 2 ** 17,
    ]);
  });

  it("between int32 and uint32 keeps the 32 bits", () => {
    expect(cast([-1, -2147483648, 2147483647], "int32", "uint32")).toEqual([4294967295, 2147483648, 2147483647]);
    expect(cast([0, 2147483648, 4294967295], "uint32", "int32")).toEqual([0, -2147483648, -1]);
  });

  it("anything but 0 is true, NaN too", () => {
    expect(cast([0, -0, 0.1, -3, Number.NaN, infinity, 1e-45], "float32", "bool")).toEqual([0, 0, 1, 1, 1, 1, 1]);
    expect(cast([0, -0, 2 ** -24, Number.NaN], "float16", "bool")).toEqual([0, 0, 1, 1]);
    expect(cast([0, 256, -1], "int32", "bool")).toEqual([0, 1, 1]);
    expect(cast([0, 65536], "uint32", "bool")).toEqual([0, 1]);
  });

  it("between half types rounds once; NaN, infinities, -0 and subnormals survive", () => {
    expect(cast([1e5, 2 ** -20, -0, Number.NaN, -infinity], "bfloat16", "float16")).toEqual([
      infinity,
      2 ** -20,
      -0,
      Number.NaN,
      -infinity,
    ]);
    expect(cast([2 ** -24, 1 + 2 ** -10, 1 + 3 * 2 ** -8, -0, infinity], "float16", "bfloat16")).toEqual([
      2 ** -24,
      1,
      1 + 2 ** -6,
      -0,
      infinity,
    ]);
  });

  it("float32 keeps -0, NaN, infinities and subnormals in a copy of its own type, bit for bit", () => {
    const bits = [0x80000000, 0x7fc00000, 0x7f800000, 0xff800000, 1, 0x807fffff];
    const values = Float32Array.from(bits, floatOfBits);
    const source = tensor(values);
    expect(Array.from(new Uint32Array(source.clone().dataSync().buffer))).toEqual(bits);
  });

  it.each(["float16", "bfloat16"] as HalfType[])(
    "every %s widens to float32 exactly, and back to the same bits",
    (type) => {
      const all = Uint16Array.from({ length: 65536 }, (_, bits) => bits).filter(
        (bits) => !Number.isNaN(decode(type, bits)),
      );
      const wide = tensor(all, null, type).cast("float32");
      expect(
        differences(
          wide.dataSync(),
          Float32Array.from(all, (bits) => decode(type, bits)),
        ),
      ).toEqual([]);
      expect(differences(wide.cast(type).bitsSync(), all)).toEqual([]);
    },
  );

  it.each(["float16", "bfloat16"] as HalfType[])("float32 to %s at every middle goes to the even neighbour", (type) => {
    const { values, bits } = boundaries(type);
    const keep = Array.from(values.keys()).filter((index) => index % 4 === 0 || index % 4 === 2);
    const source = tensor(Float32Array.from(keep, (index) => values[index] as number));
    const wanted = Uint16Array.from(keep, (index) => bits[index] as number);
    expect(
      differences(
        source.cast(type).bitsSync(),
        wanted,
        keep.map((index) => values[index] as number),
      ),
    ).toEqual([]);
  });

  it("of a view takes the view's elements, and the result is contiguous", () => {
    const made = tensor([
      [1, 2, 3],
      [4, 5, 6],
    ])
      .transpose()
      .cast("int32");
    expect(made.shape).toEqual([3, 2]);
    expect(made.strides).toEqual([2, 1]);
    expect(Array.from(made.dataSync())).toEqual([1, 4, 2, 5, 3, 6]);
    expect(Array.from(tensor(2.5).expand([3]).cast("bfloat16").dataSync())).toEqual([2.5, 2.5, 2.5]);
  });

  it("of a permutation of eight dimensions", () => {
    const shape = [2, 1, 3, 2, 2, 1, 2, 3];
    const source = tensor(
      Float32Array.from({ length: 144 }, (_, index) => index),
      shape,
    );
    const order = [7, 3, 0, 6, 2, 4, 1, 5];
    const back = order.map((_, axis) => order.indexOf(axis));
    const there = source.transpose(order).cast("int32");
    expect(Array.from(there.transpose(back).dataSync())).toEqual(Array.from({ length: 144 }, (_, index) => index));
  });

  it("to the same type is a copy with storage of its own", () => {
    const source = tensor([1, 2]);
    const made = source.cast("float32");
    source.write([8, 9]);
    expect(Array.from(made.dataSync())).toEqual([1, 2]);
  });

  it("of nothing is nothing", () => {
    const made = tensor([], [3, 0]).cast("bfloat16");
    expect(made.shape).toEqual([3, 0]);
    expect(made.dataSync().length).toBe(0);
  });

  it("to a type that does not exist throws", () => {
    const error = thrown(() => tensor([1]).cast("float64" as never));
    expect(error).toBeInstanceOf(DtypeError);
    expect(error.message).toMatch(/float64/);
  });

  it("of a large tensor is right to the last element, for any number of threads", () => {
    const count = 1_000_003;
    const source = tensor(Float32Array.from({ length: count }, (_, index) => index));
    for (const threads of [1, 2, 3]) {
      const read = withThreads(threads, () => source.cast("int32").dataSync());
      expect(read.length).toBe(count);
      expect(read.findIndex((value, index) => value !== index)).toBe(-1);
    }
  });
});
