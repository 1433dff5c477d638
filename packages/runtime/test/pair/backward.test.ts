import { describe, expect, it } from "vitest";
import { ones, tensor } from "../../src/index.js";
import { balanced } from "../support/memory.js";
import { repeat, swap } from "../support/pairs.js";

const source = tensor([1, 2, 3]);
const second = tensor([4, 5, 6], null, "bfloat16");

describe("backward", () => {
  it("gives the gradient by the input's name: the sum over the rows for repeat", () => {
    balanced(() => {
      const { output, saved } = repeat.forward(source, { count: 2 });
      using cotangent = tensor([
        [1, 2, 3],
        [10, 20, 30],
      ]);
      const gradients = repeat.backward(saved, cotangent);
      expect(Object.keys(gradients)).toEqual(["source"]);
      expect(Array.from(gradients.source.dataSync())).toEqual([11, 22, 33]);
      expect(gradients.source.dtype).toBe("float32");
      for (const each of [output, saved, gradients.source]) each.dispose();
    });
  });

  it("may run again, with other cotangents, and takes strided and zero-stride ones", () => {
    const { saved } = repeat.forward(source, { count: 2 });
    const turned = tensor([
      [1, 4],
      [2, 5],
      [3, 6],
    ]).transpose();
    const one = tensor(1).expand([2, 3]);
    for (let round = 0; round < 2; round += 1) {
      expect(Array.from(repeat.backward(saved, turned).source.dataSync())).toEqual([5, 7, 9]);
      expect(Array.from(repeat.backward(saved, one).source.dataSync())).toEqual([2, 2, 2]);
    }
  });

  it("R16: leaves inputs, cotangents and what was saved as they were", () => {
    const { output, saved } = repeat.forward(source, { count: 2 });
    using cotangent = tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const versions = [source, output, cotangent].map((each) => each.storage.version);
    repeat.backward(saved, { output: cotangent });
    expect([source, output, cotangent].map((each) => each.storage.version)).toEqual(versions);
    expect(Array.from(source.dataSync())).toEqual([1, 2, 3]);
    expect(Array.from(output.dataSync())).toEqual([1, 2, 3, 1, 2, 3]);
    expect(Array.from(cotangent.dataSync())).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("takes cotangents by the outputs' names; a missing one is zero", () => {
    const { saved } = swap.forward(source, second);
    const left = swap.backward(saved, { left: ones([3]) });
    expect(Array.from(left.second.dataSync())).toEqual([1, 1, 1]);
    expect(Array.from(left.first.dataSync())).toEqual([0, 0, 0]);
    const right = swap.backward(saved, { right: ones([3]), left: null });
    expect(Array.from(right.second.dataSync())).toEqual([0, 0, 0]);
    expect(Array.from(right.first.dataSync())).toEqual([1, 1, 1]);
  });

  it("gives what is its own: disposing of a gradient leaves the cotangent and the other gradient alone", () => {
    balanced(() => {
      const { left, right, saved } = swap.forward(source, second);
      // swap hands the cotangent itself back as the gradient.
      using cotangent = ones([3]);
      const gradients = swap.backward(saved, { left: cotangent, right: cotangent });
      expect(gradients.first).not.toBe(cotangent);
      expect(gradients.first).not.toBe(gradients.second);
      gradients.first.dispose();
      expect(Array.from(gradients.second.dataSync())).toEqual([1, 1, 1]);
      gradients.second.dispose();
      expect(Array.from(cotangent.dataSync())).toEqual([1, 1, 1]);
      // And the inputs themselves as the outputs.
      right.dispose();
      left.dispose();
      expect([source.disposed, second.disposed]).toEqual([false, false]);
      saved.dispose();
    });
  });
});
