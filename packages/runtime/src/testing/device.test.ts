import { describe, expect, it } from "vitest";
import { device } from "../device/select.js";
import { scope } from "../scope/scope.js";
import { tensor, zeros } from "../tensor/create.js";
import { failNextLaunch, launchesOf, withThreads } from "./device.js";
import { GUARD_VALUE, GuardError, withGuards } from "./guards.js";
import { type Layout, layouts } from "./layouts.js";
import { dirtyMemory, hashOf, hashOfElements, leavesNothing, watchStorages } from "./memory.js";

const values = Float64Array.from({ length: 24 }, (_, index) => index + 1);

describe("layouts", () => {
  const cases = Object.entries(layouts).map(([name, layout]) => ({ name, layout: layout as Layout }));

  it.each(cases)("$name holds what it says, in any rank and type", ({ layout }) => {
    scope(() => {
      for (const dtype of ["float32", "float16", "bfloat16"] as const)
        for (const shape of [[24], [4, 6], [2, 3, 4], [24, 1], [1, 24]]) {
          const placed = layout(values, shape, dtype);
          expect(placed.tensor.shape).toEqual(shape);
          expect([...placed.tensor.dataSync()]).toEqual([...placed.values]);
        }
    });
  });

  it("strides are those of the names", () => {
    scope(() => {
      const stridesOf = (name: keyof typeof layouts) => layouts[name](values, [2, 3, 4], "float32").tensor.strides;
      expect(stridesOf("contiguous")).toEqual([12, 4, 1]);
      expect(stridesOf("transposed")).toEqual([1, 2, 6]);
      expect(stridesOf("rowStrided")).toEqual([51, 17, 1]);
      expect(stridesOf("columnStrided")).toEqual([24, 8, 2]);
      expect(stridesOf("blocked")).toEqual([20, 4, 1]);
      expect(stridesOf("repeatedRows")).toEqual([0, 0, 1]);
      expect(stridesOf("repeatedScalar")).toEqual([0, 0, 0]);
      expect(layouts.unaligned(values, [24], "float16").tensor.byteOffset).toBe(2);
    });
  });
});

describe("guards", () => {
  it("tensors work inside as they do outside", () => {
    const read = () =>
      scope(() => [
        ...tensor([
          [1, 2],
          [3, 4],
        ])
          .transpose()
          .clone()
          .dataSync(),
      ]);
    expect(withGuards(read)).toEqual(read());
    expect(withGuards(() => scope(() => [...zeros([3]).dataSync()]))).toEqual([0, 0, 0]);
  });

  it("a write on either side is found, at the end and at the release", () => {
    const stray = new Float32Array([7]);
    for (const offset of [-4, 12])
      for (const dispose of [true, false])
        expect(() =>
          withGuards(() => {
            const made = tensor([1, 2, 3]);
            device().native.write(made.storage.slot, offset, stray);
            if (dispose) made.dispose();
          }),
        ).toThrow(GuardError);
  });

  it("memory that nothing was written to holds the pattern", () => {
    withGuards(() => {
      const slot = device().native.allocate(8, false);
      const seen = new Float32Array(2);
      device().native.readSync(slot, 0, 8, 0, seen);
      device().native.release(slot);
      expect([...seen]).toEqual([GUARD_VALUE, GUARD_VALUE]);
    });
  });

  it("the device is as before afterwards, after an error too", () => {
    const own = () => Object.getOwnPropertyNames(device().native).sort();
    const before = own();
    expect(() =>
      withGuards(() => {
        throw new Error("stop");
      }),
    ).toThrow("stop");
    expect(own()).toEqual(before);
  });
});

describe("memory", () => {
  it("hashes follow bytes: of the storage with its gaps, or of the elements alone", () => {
    scope(() => {
      const whole = tensor([1, 2, 3, 4]);
      const even = whole.asStrided([2], [2]);
      const [storage, elements] = [hashOf(even), hashOfElements(even)];
      device().native.write(whole.storage.slot, 4, new Float32Array([9]));
      expect(hashOf(even)).not.toBe(storage);
      expect(hashOfElements(even)).toBe(elements);
      expect(hashOfElements(even)).not.toBe(hashOfElements(even.reshape([1, 2])));
    });
  });

  it("a watch knows what is in use and what it holds", () => {
    const watch = watchStorages();
    const made = tensor([1, 2, 3]);
    const before = watch.hashes();
    expect([before.size, watch.bytes]).toEqual([1, 12]);
    made.write([3, 2, 1]);
    expect(watch.hashes()).not.toEqual(before);
    made.dispose();
    expect(watch.hashes().size).toBe(0);
    watch.stop();
  });

  it("dirty memory is what comes next", () => {
    dirtyMemory(device(), 2 ** 16);
    const slot = device().native.allocate(4096, false);
    const seen = new Float32Array(1024);
    device().native.readSync(slot, 0, 4096, 0, seen);
    device().native.release(slot);
    expect(seen.every(Number.isNaN)).toBe(true);
  });

  it("what is left behind is an error", () => {
    expect(() => leavesNothing(() => tensor([1]))).toThrow(/storages were in use before/);
    leavesNothing(() => tensor([1]).dispose());
  });
});

describe("device", () => {
  it("a failure hits the next launch and what depends on it", () => {
    const source = tensor([1, 2]);
    failNextLaunch("lost");
    expect(() => source.cast("float16").dataSync()).toThrow("lost");
    expect([...source.cast("float16").dataSync()]).toEqual([1, 2]);
  });

  it("counts launches, and sets threads for a while", () => {
    const source = tensor([1, 2]);
    expect(launchesOf(() => source.cast("float16").dispose())).toBe(1);
    const before = device().threads;
    expect(withThreads(3, () => device().threads)).toBe(3);
    expect(device().threads).toBe(before);
  });
});
