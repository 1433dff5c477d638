import { describe, expect, it } from "vitest";
import { device, full, LifetimeError, ones, tensor, zeros } from "../../src/index.js";
import { balanced, inUse } from "../support/memory.js";
import { thrown } from "../support/thrown.js";

const mebibyte = 2 ** 20;

describe("dispose", () => {
  it("gives the bytes back at once, and may be called again", () => {
    balanced(() => {
      const before = inUse();
      const made = zeros([mebibyte]);
      expect(inUse().storages).toBe(before.storages + 1);
      expect(inUse().live).toBeGreaterThanOrEqual(before.live + 4 * mebibyte);
      made.dispose();
      expect(inUse()).toEqual(before);
      made.dispose();
      made.dispose();
      expect(made.disposed).toBe(true);
    });
  });

  it("of the tensor leaves its views alive, in any order of disposal", () => {
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 3, 0, 2],
      [2, 0, 3, 1],
    ]) {
      balanced(() => {
        const made = tensor([
          [1, 2],
          [3, 4],
        ]);
        const all = [made, made.transpose(), made.slice([1]), made.reshape([4])];
        const wanted = [
          [1, 2, 3, 4],
          [1, 3, 2, 4],
          [3, 4],
          [1, 2, 3, 4],
        ];
        const alive = new Set(order);
        for (const index of order) {
          all[index]?.dispose();
          alive.delete(index);
          for (const other of alive) expect(Array.from(all[other]?.dataSync() ?? [])).toEqual(wanted[other]);
        }
      });
    }
  });

  it("of one handle leaves the other", () => {
    balanced(() => {
      const made = tensor([1, 2]);
      const other = made.handle();
      made.dispose();
      expect(Array.from(other.dataSync())).toEqual([1, 2]);
      expect(thrown(() => made.dataSync())).toBeInstanceOf(LifetimeError);
      other.dispose();
    });
  });

  it("counts a storage once, however many views share it", () => {
    balanced(() => {
      const made = tensor([1, 2, 3, 4]);
      const { live, storages } = inUse();
      const views = Array.from({ length: 20 }, () => made.reshape([2, 2]));
      expect(inUse()).toEqual({ live, storages });
      made.dispose();
      for (const view of views) {
        expect(inUse()).toEqual({ live, storages });
        view.dispose();
      }
    });
  });

  it("does not disturb work that is queued", async () => {
    const source = tensor(new Float32Array(300_000).fill(3));
    const copy = source.cast("int32");
    source.dispose();
    const again = copy.cast("bfloat16");
    copy.dispose();
    const filler = full([300_000], 7);
    expect(new Set(await again.data())).toEqual(new Set([3]));
    expect(new Set(await filler.data())).toEqual(new Set([7]));
    again.dispose();
    filler.dispose();
  });
});

describe("using", () => {
  it("disposes at the end of the block, of a throw too", () => {
    balanced(() => {
      {
        using made = ones([10]);
        expect(made.disposed).toBe(false);
      }
      expect(() => {
        using made = ones([10]);
        throw new Error(`with ${made.size}`);
      }).toThrow("with 10");
    });
  });
});

describe("every way to make and read tensors leaves the counters as they were:", () => {
  const source = () =>
    tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  const cases: [name: string, run: () => void][] = [
    ["tensor", () => source().dispose()],
    ["tensor, rounded on the device", () => tensor(new Float32Array(5000), null, "bfloat16").dispose()],
    ["zeros", () => zeros([5]).dispose()],
    ["ones", () => ones([5], "float16").dispose()],
    ["full", () => full([5], 2, "int32").dispose()],
    ["an empty tensor", () => zeros([0, 3]).dispose()],
    [
      "cast",
      () => {
        using made = source();
        made.cast("bfloat16").dispose();
      },
    ],
    [
      "a reshape that copies",
      () => {
        using made = source();
        using view = made.transpose();
        view.reshape([6]).dispose();
      },
    ],
    [
      "contiguous of a view and of a contiguous tensor",
      () => {
        using made = source();
        using view = made.transpose();
        view.contiguous().dispose();
        made.contiguous().dispose();
      },
    ],
    [
      "reads of a view",
      () => {
        using made = source();
        using view = made.transpose();
        view.dataSync();
      },
    ],
    [
      "a large write into a half type",
      () => {
        using made = zeros([5000], "float16");
        made.write(new Float32Array(5000));
      },
    ],
    [
      "to(device)",
      () => {
        using made = source();
        made.to("cpu").dispose();
        made.to(device()).dispose();
      },
    ],
  ];
  it.each(cases)("%s", (_, run) => {
    balanced(run);
    balanced(() => {
      for (let round = 0; round < 50; round += 1) run();
    });
  });
});

describe("device().memory", () => {
  it("has the peak of live, and cached bytes that trim() gives back", () => {
    const best = device();
    const made = zeros([4 * mebibyte]);
    const { live, peak } = best.memory;
    expect(peak).toBeGreaterThanOrEqual(live);
    made.dispose();
    expect(best.memory.peak).toBe(peak);
    expect(best.memory.live).toBeLessThanOrEqual(live - 16 * mebibyte);
    best.synchronizeSync();
    expect(best.memory.cached).toBeGreaterThanOrEqual(16 * mebibyte);
    best.trim();
    // What data() gave lies in device memory until the garbage collector takes it: its surroundings may stay.
    expect(best.memory.cached).toBeLessThan(8 * mebibyte);
  });

  it("reuses what was freed: a thousand tensors of one size take the room of few", () => {
    const best = device();
    best.trim();
    for (let round = 0; round < 1000; round += 1) ones([mebibyte / 4]).dispose();
    expect(best.memory.cached).toBeLessThanOrEqual(64 * mebibyte);
  });
});
