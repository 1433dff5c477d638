import { afterEach, describe, expect, test } from "vitest";
import {
  binding,
  burn,
  compileKernels,
  device,
  encode,
  kernelsPath,
  launch,
  readFloats,
  readWords,
  storage,
  thrown,
} from "./harness.js";

afterEach(() => {
  device.threads = binding.cpu().cores;
});

describe("launch", () => {
  test("runs in the order of the calls, across any number of them", () => {
    const state = storage(Uint32Array.of(1, 2, 3));
    const expected = [1, 2, 3];
    for (let index = 0; index < 2000; index += 1) {
      const factor = 2 * index + 3;
      launch({
        kernel: "step",
        groups: 3,
        work: 3,
        buffers: { 0: { slot: state, written: true } },
        constants: { 1: factor, 2: index },
      });
      expected.forEach((value, position) => {
        expected[position] = (Math.imul(value, factor) + index) >>> 0;
      });
    }
    expect([...readWords(state, 3)]).toEqual(expected);
    device.release(state);
  });

  test("gives the same bits for any number of threads", () => {
    const rows = 257;
    const columns = 1000;
    const source = storage(Float32Array.from({ length: rows * columns }, (_, index) => Math.sin(index) * 1e3));
    const sums = device.allocate(rows * 4, false);
    const results = [1, 2, 3, 8].map((threads) => {
      device.threads = threads;
      device.fill(sums, 0, rows * 4, 0xff);
      launch({
        kernel: "row_sum",
        groups: rows,
        work: rows * columns,
        buffers: { 0: source, 1: { slot: sums, written: true } },
        constants: { 2: columns },
      });
      return Buffer.from(readFloats(sums, rows).buffer).toString("hex");
    });
    expect(new Set(results).size).toBe(1);
    expect(results[0]).not.toContain("ffffffff");
    device.release(source);
    device.release(sums);
  });

  test("covers each group of a three-dimensional grid once, x fastest", () => {
    const [x, y, z] = [7, 5, 3];
    const target = device.allocate(x * y * z * 24, true);
    launch({ kernel: "places", groups: [x, y, z], buffers: { 0: { slot: target, written: true } } });
    const places = readWords(target, x * y * z * 6);
    let at = 0;
    for (let k = 0; k < z; k += 1)
      for (let j = 0; j < y; j += 1)
        for (let i = 0; i < x; i += 1, at += 6) expect([...places.subarray(at, at + 6)]).toEqual([i, j, k, x, y, z]);
    device.release(target);
  });

  test("an empty grid runs nothing and is no error", () => {
    const target = storage(Uint32Array.of(5));
    launch({
      kernel: "step",
      groups: [0, 4, 4],
      buffers: { 0: { slot: target, written: true } },
      constants: { 1: 0, 2: 0 },
    });
    expect([...readWords(target, 1)]).toEqual([5]);
    device.release(target);
  });

  test("passes constants of any width aligned to 16 bytes, and null for a buffer that is not there", () => {
    const target = device.allocate(28, true);
    launch({
      kernel: "constants",
      buffers: { 0: { slot: target, written: true }, 11: null },
      constants: { 3: 77, 5: Uint32Array.of(0x89abcdef, 0x01234567), 9: Uint32Array.of(1, 2, 3, 4) },
    });
    expect([...readWords(target, 7)]).toEqual([0x89abcdef, 0x01234567, 1, 2, 3, 4, 1]);
    device.release(target);
  });

  test("binds a buffer at a byte offset", () => {
    const source = storage(Float32Array.from({ length: 64 }, (_, index) => index));
    const target = device.allocate(256, true);
    launch({
      kernel: "scale",
      groups: 2,
      buffers: { 0: { slot: source, offset: 40 }, 1: { slot: target, offset: 128, written: true } },
      constants: { 2: 4, 3: Float32Array.of(0.5) },
    });
    expect([...readFloats(target, 9, 124)]).toEqual([0, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5]);
    device.release(source);
    device.release(target);
  });

  test("returns at once while the stream is busy", async () => {
    const busy = device.allocate(4, false);
    const started = performance.now();
    burn(busy, 400);
    const promise = device.read(busy, 0, 4, 0);
    const returned = performance.now() - started;
    await promise;
    const settled = performance.now() - started;
    expect(settled).toBeGreaterThan(50);
    expect(returned).toBeLessThan(settled / 4);
    device.release(busy);
  });

  test("a caller that is far ahead waits for room", () => {
    const busy = device.allocate(4, false);
    const before = device.counters();
    for (let index = 0; index < 600; index += 1) burn(busy, 0.2);
    const { launches, completed } = device.counters();
    expect(launches - before.launches).toBe(600);
    expect(launches - completed).toBeLessThanOrEqual(256);
    device.synchronizeSync();
    expect(device.counters().completed).toBe(launches);
    device.release(busy);
  });
});

describe("libraries", () => {
  test("a library and an entry have one number each", () => {
    const library = device.loadLibrary(kernelsPath);
    expect(device.loadLibrary(kernelsPath)).toBe(library);
    expect(device.kernel(library, "scale")).toBe(device.kernel(library, "scale"));
    expect(device.kernel(library, "scale")).not.toBe(device.kernel(library, "step"));
  });

  test("what cannot be loaded says why", () => {
    expect(thrown(() => device.loadLibrary("/nowhere/kernels.so"))).toMatchObject({
      code: "METILE_LIBRARY",
      message: expect.stringContaining("/nowhere/kernels.so"),
    });
    expect(thrown(() => device.loadLibrary(compileKernels("foreign.cpp")))).toMatchObject({
      code: "METILE_LIBRARY",
      message: expect.stringContaining("artefact version 99; version 2 is wanted"),
    });
    expect(thrown(() => device.kernel(device.loadLibrary(kernelsPath), "no_such_kernel"))).toMatchObject({
      code: "METILE_KERNEL",
      message: expect.stringContaining("no_such_kernel"),
    });
  });
});

describe("the binding", () => {
  test("names the processor, its cores and its instruction sets", () => {
    const { brand, cores, levels } = binding.cpu();
    expect(brand.length).toBeGreaterThan(0);
    expect(cores).toBeGreaterThanOrEqual(1);
    const known = process.arch === "x64" ? ["v3", "v4"] : ["arm64"];
    expect(levels).toEqual(known.slice(0, levels.length));
    expect(encode({ kernel: "scale", buffers: {} }).length).toBe(8);
    expect(binding.artefactVersion).toBe(2);
  });
});
