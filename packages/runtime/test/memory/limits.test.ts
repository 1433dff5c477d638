import { describe, expect, it } from "vitest";
import { device, MemoryError, ones, tensor, zeros } from "../../src/index.js";
import { fakeGpu } from "../support/gpu.js";
import { balanced } from "../support/memory.js";
import { thrown } from "../support/thrown.js";

const mebibyte = 2 ** 20;
const tenTerabytes = 10e12;

/** Runs a function under a limit of so many bytes more than are in use. */
function withRoom(bytes: number, run: () => void): void {
  const best = device();
  const before = best.memoryLimit;
  best.memoryLimit = best.memory.live + bytes;
  try {
    run();
  } finally {
    best.memoryLimit = before;
  }
}

describe("R33: asking for 10 TB", () => {
  it("throws a typed error with the numbers, and leaves nothing behind", () => {
    balanced(() => {
      const { live } = device().memory;
      const error = thrown<MemoryError>(() => zeros([tenTerabytes / 4]));
      expect(error).toBeInstanceOf(MemoryError);
      expect(error).toBeInstanceOf(RangeError);
      expect(error.requestedBytes).toBe(tenTerabytes);
      expect(error.liveBytes).toBe(live);
      expect(error.limitBytes).toBe(device().memoryLimit);
      expect(
        error.message
          .replace(String(error.limitBytes - live), "FREE")
          .replace(String(error.limitBytes), "LIMIT")
          .replace(`in use ${live}`, "in use LIVE")
          .replace(`device("${device().name}")`, "DEVICE"),
      ).toMatchInlineSnapshot(
        `"DEVICE: expected at most FREE bytes (limit LIMIT, in use LIVE), received a request for 10000000000000 bytes. Dispose of tensors that are no longer needed, or work on fewer rows at a time."`,
      );
    });
  });

  it("from every function that allocates", () => {
    balanced(() => {
      const one = tensor(1);
      const huge = one.expand([tenTerabytes / 4]);
      for (const run of [
        () => huge.clone(),
        () => huge.cast("int32"),
        () => huge.cast("bool"),
        () => ones([tenTerabytes]),
        () => huge.contiguous(),
      ])
        expect(thrown(run)).toBeInstanceOf(MemoryError);
      huge.dispose();
      one.dispose();
    });
  });

  it("leaves the next operation working", () => {
    expect(thrown(() => zeros([tenTerabytes]))).toBeInstanceOf(MemoryError);
    const made = tensor([1, 2]).cast("bfloat16");
    expect(Array.from(made.dataSync())).toEqual([1, 2]);
  });

  it("a block that the limit would allow and the device cannot give is not called too large for the limit", () => {
    const { device: gpu } = fakeGpu();
    gpu.native.memory = () => ({ live: 10, cached: 0, peak: 10, storages: 1 });
    gpu.native.memoryLimit = 1000;
    gpu.native.allocate = () => {
      throw Object.assign(new Error("no"), { code: "METILE_MEMORY", live: 10 });
    };
    expect(thrown(() => zeros([200], "float32", gpu)).message).toMatchInlineSnapshot(
      `"device("metal"): expected memory that the device has to give, received no. Dispose of tensors that are no longer needed, or work on fewer rows at a time."`,
    );
  });

  it("more than any address space too", () => {
    expect(thrown(() => zeros([2 ** 52]))).toBeInstanceOf(MemoryError);
    expect(thrown(() => zeros([2 ** 53 - 1], "int32"))).toBeInstanceOf(MemoryError);
  });
});

describe("a memory limit", () => {
  it("is a whole number of bytes above 0", () => {
    const { memoryLimit } = device();
    for (const wrong of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1" as never])
      expect(() => {
        device().memoryLimit = wrong;
      }).toThrow(RangeError);
    expect(device().memoryLimit).toBe(memoryLimit);
  });

  it("holds to the byte's order of magnitude, and the tensors made before stay", () => {
    balanced(() => {
      withRoom(8 * mebibyte, () => {
        const first = ones([mebibyte]);
        const error = thrown<MemoryError>(() => zeros([2 * mebibyte]));
        expect(error.requestedBytes).toBe(8 * mebibyte);
        expect(error.limitBytes).toBe(device().memoryLimit);
        expect(first.dataSync()[mebibyte - 1]).toBe(1);
        first.dispose();
        zeros([2 * mebibyte - 4096]).dispose();
      });
    });
  });

  it("counts cached blocks as free: they are given back before an allocation fails", () => {
    balanced(() => {
      for (let size = 1; size <= 16; size += 1) ones([size * 100_000]).dispose();
      device().synchronizeSync();
      expect(device().memory.cached).toBeGreaterThan(0);
      withRoom(16 * mebibyte, () => {
        const made = zeros([3 * mebibyte]);
        expect(made.dataSync()[0]).toBe(0);
        made.dispose();
      });
    });
  });

  it("in the middle of an operation leaves nothing behind", () => {
    const source = tensor(new Float32Array(mebibyte), [1024, 1024]).transpose();
    balanced(() => {
      withRoom(mebibyte, () => {
        expect(thrown(() => source.reshape([mebibyte]))).toBeInstanceOf(MemoryError);
        expect(thrown(() => source.dataSync())).toBeInstanceOf(MemoryError);
        expect(thrown(() => tensor(new Float32Array(mebibyte), null, "bfloat16"))).toBeInstanceOf(MemoryError);
        expect(thrown(() => ones([mebibyte]))).toBeInstanceOf(MemoryError);
      });
    });
    source.dispose();
  });

  it("after an error and trim(), the freed room is there again", () => {
    balanced(() => {
      withRoom(8 * mebibyte, () => {
        const made = zeros([mebibyte]);
        expect(thrown(() => zeros([2 * mebibyte]))).toBeInstanceOf(MemoryError);
        made.dispose();
        device().trim();
        const after = ones([2 * mebibyte - 4096]);
        expect(after.dataSync()[0]).toBe(1);
        after.dispose();
      });
    });
  });
});
