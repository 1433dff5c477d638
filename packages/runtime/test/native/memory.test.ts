import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { binding, burn, device, launch, readFloats, readWords, storage, thrown } from "./harness.js";

const MiB = 2 ** 20;
const GiB = 2 ** 30;
const limit = device.memoryLimit;

afterEach(() => {
  device.memoryLimit = limit;
});

/** Bytes of memory that this process occupies. */
function resident(): number {
  return process.memoryUsage.rss();
}

describe("figures", () => {
  test("live and peak count the bytes asked for, storages the slots", () => {
    const before = device.memory();
    const slots = [0, 1, 63, 64, 65, 1000, 3 * MiB + 1].map((bytes) => device.allocate(bytes, false));
    const during = device.memory();
    expect(during.live - before.live).toBe(0 + 1 + 63 + 64 + 65 + 1000 + 3 * MiB + 1);
    expect(during.storages - before.storages).toBe(7);
    expect(during.peak).toBeGreaterThanOrEqual(during.live);
    for (const slot of slots) device.release(slot);
    const after = device.memory();
    expect(after.live).toBe(before.live);
    expect(after.storages).toBe(before.storages);
    expect(after.peak).toBe(during.peak);
  });

  test("cached counts what waits for reuse, at most an eighth more than was asked for, and trim returns it", () => {
    device.trim();
    const before = device.memory().cached;
    for (const bytes of [2.1 * MiB, 5 * MiB, 33.3 * MiB].map(Math.round)) {
      const slot = device.allocate(bytes, false);
      expect(device.memory().cached).toBe(before);
      device.release(slot);
      const cached = device.memory().cached - before;
      expect(cached).toBeGreaterThanOrEqual(bytes);
      expect(cached).toBeLessThanOrEqual(bytes * 1.125 + 64);
      device.trim();
      expect(device.memory().cached).toBe(before);
    }
  });

  test("all environments and views count together", () => {
    const { storages } = device.memory();
    const view = binding.openCpu();
    const slot = view.allocate(10, false);
    expect(device.memory().storages).toBe(storages + 1);
    device.release(slot);
  });
});

describe("reuse", () => {
  test("a released block serves the next storage of its size at once", () => {
    device.trim();
    const first = device.allocate(8 * MiB, false);
    burn(first, 20);
    device.release(first);
    const { cached } = device.memory();
    const second = device.allocate(8 * MiB - 5, false);
    expect(device.memory().cached).toBe(cached - 8 * MiB);
    device.release(second);
  });

  test("work on the old storage comes before work on the new one, though they share memory", () => {
    const source = storage(Float32Array.from({ length: 1024 }, (_, index) => index));
    for (let round = 0; round < 200; round += 1) {
      const middle = device.allocate(4096, false);
      const result = device.allocate(4096, false);
      launch({
        kernel: "scale",
        buffers: { 0: source, 1: { slot: middle, written: true } },
        constants: { 2: 1024, 3: Float32Array.of(2) },
      });
      launch({
        kernel: "scale",
        buffers: { 0: middle, 1: { slot: result, written: true } },
        constants: { 2: 1024, 3: Float32Array.of(2) },
      });
      device.release(middle);
      const next = device.allocate(4096, round % 2 === 0);
      device.write(next, 0, new Float32Array(1024).fill(-1));
      const values = readFloats(result, 1024);
      expect(values[1023]).toBe(4092);
      expect(readFloats(next, 1)[0]).toBe(-1);
      device.release(next);
      device.release(result);
    }
    device.release(source);
  });

  test.each([100, 64 * 1024, 100_000, 3 * MiB])(
    "zeros are zeros in a reused block of %i bytes, busy or not",
    async (bytes) => {
      for (const busy of [false, true]) {
        const dirty = device.allocate(bytes, false);
        device.fill(dirty, 0, bytes, 0x5a);
        if (busy) burn(dirty, 5);
        else await device.synchronize();
        device.release(dirty);
        const clean = device.allocate(bytes, true);
        const content = new Uint8Array(bytes).fill(1);
        device.readSync(clean, 0, bytes, 0, content);
        expect(content.every((value) => value === 0)).toBe(true);
        device.release(clean);
      }
    },
  );

  test("varying sizes do not grow the process: the second pass adds less than 32 MiB", () => {
    const pass = () => {
      for (let rows = 1; rows <= 1024; rows += 1) {
        const bytes = rows * 4096;
        const slots = [device.allocate(bytes, false), device.allocate(bytes, true), device.allocate(rows * 4, false)];
        device.copy(slots[1] as number, 0, slots[0] as number, 0, bytes);
        for (const slot of slots) device.release(slot);
      }
      device.synchronizeSync();
    };
    const { storages } = device.memory();
    pass();
    const first = resident();
    pass();
    expect(resident() - first).toBeLessThan(32 * MiB);
    expect(device.memory().storages).toBe(storages);
  });
});

describe("limits", () => {
  test("ten terabytes are refused at once, with the numbers", () => {
    const { live } = device.memory();
    const error = thrown(() => device.allocate(1e13, true));
    expect(error).toMatchObject({ code: "METILE_MEMORY", requested: 1e13, live, limit });
    expect(error.message).toContain("10000000000000 bytes were asked for");
    expect(thrown(() => device.allocate(Number.MAX_SAFE_INTEGER, false)).code).toBe("METILE_MEMORY");
    expect(device.memory().live).toBe(live);
  });

  test("memoryLimit bounds what is live; a release makes room", () => {
    const { live } = device.memory();
    device.memoryLimit = live + 4 * MiB;
    const slot = device.allocate(3 * MiB, false);
    expect(thrown(() => device.allocate(2 * MiB, false))).toMatchObject({
      code: "METILE_MEMORY",
      requested: 2 * MiB,
      limit: live + 4 * MiB,
    });
    device.release(slot);
    device.release(device.allocate(4 * MiB, false));
  });

  test("cached blocks go back to the system before a request fails", () => {
    device.trim();
    for (const slot of [device.allocate(16 * MiB, false), device.allocate(16 * MiB, false)]) device.release(slot);
    const { live } = device.memory();
    device.memoryLimit = live + 33 * MiB;
    const slot = device.allocate(30 * MiB, false);
    expect(device.memory().cached).toBeLessThan(32 * MiB);
    device.release(slot);
  });

  test("more than 4 GiB of zeros that nobody touches cost nothing, and reach past 2^32", () => {
    const bytes = 2 * (2 ** 31 + 128);
    const before = resident();
    const slot = device.allocate(bytes, true);
    device.write(slot, bytes - 8, Float32Array.of(8, 9));
    expect([...readFloats(slot, 3, bytes - 12)]).toEqual([0, 8, 9]);
    launch({
      kernel: "step",
      buffers: { 0: { slot, offset: bytes - 4, written: true } },
      constants: { 1: 0, 2: 77 },
    });
    expect([...readWords(slot, 1, bytes - 4)]).toEqual([77]);
    expect(resident() - before).toBeLessThan(64 * MiB);
    device.release(slot);
    const again = device.allocate(bytes, true);
    expect([...readWords(again, 2, bytes - 8)]).toEqual([0, 0]);
    expect(resident() - before).toBeLessThan(64 * MiB);
    device.release(again);
    device.trim();
  });

  test("the default limit is the memory that the machine has", () => {
    if (process.platform === "linux") {
      const total = Number(/MemTotal:\s+(\d+) kB/.exec(readFileSync("/proc/meminfo", "utf8"))?.[1]) * 1024;
      expect(limit).toBeLessThanOrEqual(total);
    }
    expect(limit).toBeGreaterThan(GiB / 4);
  });
});
