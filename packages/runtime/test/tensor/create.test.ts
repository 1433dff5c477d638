import { describe, expect, it } from "vitest";
import { device, full, ones, Tensor, type TensorValues, tensor, zeros } from "../../src/index.js";

/** Shape, type and values of a tensor, which is disposed of. */
function facts(made: Tensor): { shape: readonly number[]; dtype: string; values: number[] } {
  const values = Array.from(made.dataSync());
  made.dispose();
  return { shape: made.shape, dtype: made.dtype, values };
}

describe("tensor: the type that values have by themselves", () => {
  const cases: [kind: string, values: TensorValues, dtype: string, read: number[]][] = [
    ["a number", 2.5, "float32", [2.5]],
    ["numbers", [1, -2, 0.5], "float32", [1, -2, 0.5]],
    ["Float32Array", Float32Array.of(1.5, -0.25), "float32", [1.5, -0.25]],
    ["Float64Array, rounded once", Float64Array.of(0.1, 1e-50), "float32", [Math.fround(0.1), 0]],
    ["Int8Array", Int8Array.of(-128, 127), "int32", [-128, 127]],
    ["Int16Array", Int16Array.of(-32768, 32767), "int32", [-32768, 32767]],
    ["Int32Array", Int32Array.of(-2147483648, 2147483647), "int32", [-2147483648, 2147483647]],
    ["Uint32Array", Uint32Array.of(0, 4294967295), "uint32", [0, 4294967295]],
    ["BigInt64Array", BigInt64Array.of(-2147483648n, 2147483647n), "int32", [-2147483648, 2147483647]],
    ["BigUint64Array", BigUint64Array.of(0n, 7n), "int32", [0, 7]],
    ["bigints", [1n, -2n], "int32", [1, -2]],
    ["a bigint", 9n, "int32", [9]],
    ["booleans", [true, false, true], "bool", [1, 0, 1]],
    ["a boolean", true, "bool", [1]],
    ["an empty array", [], "float32", []],
  ];
  it.each(cases)("%s", (_, values, dtype, read) => {
    const made = facts(tensor(values));
    expect(made.dtype).toBe(dtype);
    expect(made.values).toEqual(read);
  });
});

describe("tensor: values in a named type", () => {
  const cases: [kind: string, values: TensorValues, dtype: Parameters<typeof zeros>[1], read: number[]][] = [
    ["Int32Array as float32", Int32Array.of(3, -4), "float32", [3, -4]],
    ["Uint8Array as float32", Uint8Array.of(0, 255), "float32", [0, 255]],
    ["Uint16Array as float32: numbers, not bits", Uint16Array.of(0x3f80, 1), "float32", [0x3f80, 1]],
    ["Uint16Array as bfloat16: bits", Uint16Array.of(0x3f80, 0xc000), "bfloat16", [1, -2]],
    ["Uint16Array as float16: bits", Uint16Array.of(0x3c00, 0xc000), "float16", [1, -2]],
    ["Uint16Array as int32: numbers", Uint16Array.of(65535), "int32", [65535]],
    ["Uint8Array as bool", Uint8Array.of(0, 1, 1), "bool", [0, 1, 1]],
    ["Uint8ClampedArray as uint32", Uint8ClampedArray.of(0, 255), "uint32", [0, 255]],
    ["whole floats as int32", Float32Array.of(-3, 7), "int32", [-3, 7]],
    ["bigints as uint32", [0n, 4294967295n], "uint32", [0, 4294967295]],
    ["bigints as float32", [5n], "float32", [5]],
    ["BigInt64Array as bfloat16", BigInt64Array.of(-3n), "bfloat16", [-3]],
    ["booleans as float16", [true, false], "float16", [1, 0]],
    ["booleans as int32", [true, false], "int32", [1, 0]],
    ["0 and 1 as bool", [0, 1], "bool", [0, 1]],
    ["-0 as float32 keeps its sign", [-0], "float32", [-0]],
    ["-0 as float16 keeps its sign", [-0], "float16", [-0]],
    ["-0 as bfloat16 keeps its sign", [-0], "bfloat16", [-0]],
  ];
  it.each(cases)("%s", (_, values, dtype, read) => {
    expect(facts(tensor(values, undefined, dtype))).toEqual({ shape: [read.length], dtype, values: read });
  });

  it.each(["float32", "float16", "bfloat16"] as const)("NaN and infinities survive in %s", (dtype) => {
    const { values } = facts(tensor([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], null, dtype));
    expect(values).toEqual([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  });
});

describe("tensor: typed arrays inside of arrays", () => {
  it("have their own type, and Uint16Arrays are bits as they are outside", () => {
    expect(facts(tensor([Int32Array.of(1, 2), Int32Array.of(3, 4)]))).toEqual({
      shape: [2, 2],
      dtype: "int32",
      values: [1, 2, 3, 4],
    });
    expect(facts(tensor([[Float64Array.of(1.5)], [Float64Array.of(2.5)]]))).toEqual({
      shape: [2, 1, 1],
      dtype: "float32",
      values: [1.5, 2.5],
    });
    expect(facts(tensor([Uint16Array.of(0x3f80), Uint16Array.of(0xc000)], null, "bfloat16")).values).toEqual([1, -2]);
    expect(() => tensor([Uint8Array.of(1)])).toThrow(/dtype/);
    expect(() => tensor([Float32Array.of(1), Float32Array.of(1, 2)])).toThrow(/values\[1\]/);
  });
});

describe("tensor: shapes", () => {
  it("come from the nesting", () => {
    expect(
      facts(
        tensor([
          [[1], [2]],
          [[3], [4]],
          [[5], [6]],
        ]),
      ),
    ).toEqual({ shape: [3, 2, 1], dtype: "float32", values: [1, 2, 3, 4, 5, 6] });
    expect(facts(tensor([[], [], []])).shape).toEqual([3, 0]);
    expect(facts(tensor(7)).shape).toEqual([]);
  });

  it("may regroup the values in row-major order", () => {
    const made = tensor(
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      [2, 3],
    );
    expect(made.strides).toEqual([3, 1]);
    expect(made.offset).toBe(0);
    expect(made.size).toBe(6);
    expect(made.rank).toBe(2);
    expect(facts(made)).toEqual({ shape: [2, 3], dtype: "float32", values: [1, 2, 3, 4, 5, 6] });
  });

  it("of no dimension hold one value, from a number or an array of one", () => {
    expect(facts(tensor([3], []))).toEqual({ shape: [], dtype: "float32", values: [3] });
    expect(facts(tensor(3, [1, 1]))).toEqual({ shape: [1, 1], dtype: "float32", values: [3] });
  });

  it("with a 0 hold nothing", () => {
    for (const shape of [[0], [3, 0], [0, 4], [2, 0, 5]]) {
      expect(facts(tensor([], shape))).toEqual({ shape, dtype: "float32", values: [] });
      expect(facts(zeros(shape, "bfloat16"))).toEqual({ shape, dtype: "bfloat16", values: [] });
      expect(facts(full(shape, 3, "int32"))).toEqual({ shape, dtype: "int32", values: [] });
    }
  });

  it("are copied: the caller's array may change afterwards", () => {
    const shape = [2, 2];
    const made = [tensor([1, 2, 3, 4], shape), zeros(shape), ones(shape)];
    shape[0] = 9;
    for (const each of made) expect(facts(each).shape).toEqual([2, 2]);
  });
});

describe("tensor: the copy is made at the call", () => {
  it.each([16, 100_000])("of %i values changed afterwards", async (count) => {
    for (const dtype of ["float32", "bfloat16"] as const) {
      const values = new Float32Array(count).fill(1);
      const made = tensor(values, null, dtype);
      values.fill(2);
      expect(new Set(await made.data())).toEqual(new Set([1]));
      made.dispose();
    }
  });

  it("of a view into a larger buffer takes the view's part alone", () => {
    const backing = Float32Array.of(1, 2, 3, 4, 5);
    expect(facts(tensor(backing.subarray(1, 4))).values).toEqual([2, 3, 4]);
    expect(
      facts(tensor(new Uint16Array(Uint16Array.of(0, 0x3f80, 0x4000).buffer, 2, 2), null, "bfloat16")).values,
    ).toEqual([1, 2]);
  });

  it("of shared memory works", () => {
    const values = new Float32Array(new SharedArrayBuffer(8));
    values.set([5, 6]);
    expect(facts(tensor(values)).values).toEqual([5, 6]);
  });
});

it("device().tensor makes the same", () => {
  const made = device().tensor([true, false], [1, 2]);
  expect(made.device).toBe(device());
  expect(facts(made)).toEqual({ shape: [1, 2], dtype: "bool", values: [1, 0] });
});

describe("zeros, ones, full", () => {
  it.each(["float32", "float16", "bfloat16", "int32", "uint32", "bool"] as const)(
    "fill every element in %s",
    (dtype) => {
      expect(facts(zeros([2, 3], dtype))).toEqual({ shape: [2, 3], dtype, values: [0, 0, 0, 0, 0, 0] });
      expect(facts(ones([2, 3], dtype))).toEqual({ shape: [2, 3], dtype, values: [1, 1, 1, 1, 1, 1] });
    },
  );

  it("zeros overwrite what the memory held before", () => {
    for (let round = 0; round < 4; round += 1) {
      full([1000], 12345).dispose();
      expect(new Set(facts(zeros([1000])).values)).toEqual(new Set([0]));
    }
  });

  it("full rounds to the type", () => {
    expect(facts(full([3], 0.1)).values).toEqual([0.1, 0.1, 0.1].map(Math.fround));
    expect(facts(full([2], 1.01, "bfloat16")).values).toEqual([1.0078125, 1.0078125]);
    expect(facts(full([2], -7, "int32")).values).toEqual([-7, -7]);
    expect(facts(full([5], Number.NEGATIVE_INFINITY, "float16")).values).toEqual(
      Array(5).fill(Number.NEGATIVE_INFINITY),
    );
  });

  it("make scalars for an empty shape", () => {
    expect(facts(full([], 2.5))).toEqual({ shape: [], dtype: "float32", values: [2.5] });
    expect(facts(ones([], "int32"))).toEqual({ shape: [], dtype: "int32", values: [1] });
    expect(facts(zeros([]))).toEqual({ shape: [], dtype: "float32", values: [0] });
  });

  it("make large tensors right to the last element", () => {
    const count = 3_000_001;
    const values = facts(full([count], 3, "int32")).values;
    expect(values.length).toBe(count);
    expect(new Set(values)).toEqual(new Set([3]));
  });
});

describe("a tensor in words", () => {
  it("names its type, shape and device, and says when it is gone", () => {
    const made = zeros([2, 3], "bfloat16");
    expect(String(made)).toBe(`Tensor(bfloat16 [2, 3] on ${device().name})`);
    made.dispose();
    expect(String(made)).toBe(`Tensor(bfloat16 [2, 3] on ${device().name}, disposed)`);
  });

  it("is recognised by instanceof, and nothing else is", () => {
    const made = tensor([1]);
    expect(made instanceof Tensor).toBe(true);
    for (const other of [null, undefined, 1, "tensor", {}, [], new Float32Array(1)])
      expect((other as unknown) instanceof Tensor).toBe(false);
    made.dispose();
  });
});
