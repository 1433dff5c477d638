import { describe, expect, it } from "vitest";
import { DtypeError, LifetimeError, scope, type Tensor, tensor, zeros } from "../../src/index.js";
import { balanced } from "../support/memory.js";
import { rejected, thrown } from "../support/thrown.js";

describe("data() and dataSync()", () => {
  it("give the array that belongs to the type", async () => {
    const kinds = {
      float32: Float32Array,
      float16: Float32Array,
      bfloat16: Float32Array,
      int32: Int32Array,
      uint32: Uint32Array,
      bool: Uint8Array,
    } as const;
    for (const dtype of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const made = tensor([1, 0, 1], null, dtype);
      const awaited = await made.data();
      expect(awaited).toBeInstanceOf(kinds[dtype]);
      expect(made.dataSync()).toBeInstanceOf(kinds[dtype]);
      expect(Array.from(awaited)).toEqual([1, 0, 1]);
      expect(made.dataSync()).toEqual(awaited);
      made.dispose();
    }
  });

  it("give a copy of its own each time", async () => {
    const made = tensor([1, 2]);
    const first = await made.data();
    first[0] = 9;
    expect(Array.from(await made.data())).toEqual([1, 2]);
    const second = made.dataSync();
    second[0] = 9;
    expect(Array.from(made.dataSync())).toEqual([1, 2]);
    expect(first.buffer.byteLength).toBe(8);
  });

  it("read empty tensors as empty arrays", async () => {
    for (const dtype of ["float32", "bfloat16", "bool"] as const) {
      const made = zeros([3, 0], dtype);
      expect((await made.data()).length).toBe(0);
      expect(made.dataSync().length).toBe(0);
    }
    expect((await zeros([0], "float16").bits()).length).toBe(0);
    expect(zeros([0], "bfloat16").bitsSync().length).toBe(0);
  });

  it("put views into row-major order, in every type and both ways", async () => {
    for (const dtype of ["float32", "float16", "bfloat16", "int32", "uint32", "bool"] as const) {
      const one = dtype === "bool" ? 0 : 3;
      const view = tensor(
        [
          [1, one, 0],
          [0, 1, 1],
        ],
        null,
        dtype,
      ).transpose();
      expect(Array.from(await view.data())).toEqual([1, 0, one, 1, 0, 1]);
      expect(Array.from(view.dataSync())).toEqual([1, 0, one, 1, 0, 1]);
    }
    const halves = tensor(Uint16Array.of(1, 2, 3, 4), [2, 2], "bfloat16").transpose();
    expect(Array.from(await halves.bits())).toEqual([1, 3, 2, 4]);
    expect(Array.from(halves.bitsSync())).toEqual([1, 3, 2, 4]);
  });

  it("read a part at an offset that is no multiple of a word", () => {
    const bytes = tensor(
      Uint8Array.from({ length: 64 }, (_, index) => index % 2),
      null,
      "bool",
    );
    for (let start = 0; start < 9; start += 1)
      expect(Array.from(bytes.slice([start], [3]).dataSync())).toEqual([0, 1, 2].map((step) => (start + step) % 2));
    const halves = tensor(
      Float32Array.from({ length: 64 }, (_, index) => index),
      null,
      "float16",
    );
    for (let start = 0; start < 9; start += 1)
      expect(Array.from(halves.slice([start], [2]).dataSync())).toEqual([start, start + 1]);
  });

  it("settle in the order of the queue, with what was there at the call", async () => {
    const made = tensor([1]);
    const first = made.data();
    made.write([2]);
    const second = made.data();
    made.write([3]);
    expect(Array.from(made.dataSync())).toEqual([3]);
    expect([Array.from(await first), Array.from(await second)]).toEqual([[1], [2]]);
  });

  it("survive the tensor's disposal, and reuse of its memory, before they settle", async () => {
    const count = 100_000;
    const reads: Promise<Float32Array>[] = [];
    for (let round = 0; round < 20; round += 1) {
      const made = tensor(new Float32Array(count).fill(round));
      reads.push(made.data());
      made.dispose();
    }
    const values = await Promise.all(reads);
    values.forEach((array, round) => {
      expect(new Set(array)).toEqual(new Set([round]));
    });
  });

  it("of a view survive the end of the scope that asked", async () => {
    const source = tensor([
      [1, 2],
      [3, 4],
    ]);
    const reads: Promise<Float32Array>[] = [];
    scope(() => {
      reads.push(source.transpose().data());
    });
    for (let round = 0; round < 10; round += 1) tensor([9, 9, 9, 9]).dispose();
    expect(Array.from((await reads[0]) as Float32Array)).toEqual([1, 3, 2, 4]);
  });

  it("leave nothing allocated", async () => {
    const source = tensor(
      [
        [1, 2],
        [3, 4],
      ],
      null,
      "float16",
    );
    await balanced(async () => {
      const view = source.transpose();
      view.dataSync();
      view.bitsSync();
      await Promise.all([view.data(), view.bits(), source.data(), source.bits()]);
      view.dispose();
    });
  });

  it("read many tensors at once, each its own", async () => {
    const made = Array.from({ length: 500 }, (_, index) => tensor([index, index + 1]));
    const read = await Promise.all(made.map((each) => each.data()));
    expect(read.map((values) => values[1])).toEqual(made.map((_, index) => index + 1));
    for (const each of made) each.dispose();
  });
});

describe("reading refuses", () => {
  it("bits of a type that is not 16 bits wide", async () => {
    expect(thrown(() => tensor([1]).bitsSync())).toBeInstanceOf(DtypeError);
    expect(thrown(() => tensor([1]).bitsSync()).message).toMatchInlineSnapshot(
      `"Tensor.bitsSync: this: expected a float16 or bfloat16 tensor, received float32."`,
    );
    expect(await rejected(tensor([1], null, "int32").bits())).toBeInstanceOf(DtypeError);
  });

  it("a disposed tensor: dataSync throws, data rejects", async () => {
    const gone: Tensor = tensor([1], null, "bfloat16");
    gone.dispose();
    for (const error of [
      thrown(() => gone.dataSync()),
      thrown(() => gone.bitsSync()),
      await rejected(gone.data()),
      await rejected(gone.bits()),
    ])
      expect(error).toBeInstanceOf(LifetimeError);
    expect(thrown(() => gone.dataSync()).message).toMatchInlineSnapshot(
      `"Tensor.dataSync: this: expected a live tensor, received one that was disposed of."`,
    );
  });
});
