import { describe, expect, it } from "vitest";
import { compileAll } from "../../src/doctor/kernels/compile.js";
import { typesOf } from "../../src/doctor/kernels/types.js";
import { device } from "../../src/index.js";
import type { KernelReflection, KernelsDescriptor } from "../../src/kernel/types.js";
import { shared } from "../../src/native/shared.js";
import { fakeGpu, macrosIn } from "../support/gpu.js";
import "../../generated/index.js";

const kernel = (macros: readonly string[], more: Partial<KernelReflection> = {}): KernelReflection => ({
  name: "some_kernel",
  macros,
  buffers: [],
  constants: [],
  threadgroup: [{ index: 0, name: "scratch", element: "float" }],
  attributes: [],
  file: "some.metal",
  line: 1,
  ...more,
});

const gpu = { gpu: true, bfloat: true, quick: false };
const cpu = { gpu: false, bfloat: true, quick: false };

describe("typesOf", () => {
  const all = ["STORAGE", "PARAMETER", "COTANGENT", "GRADIENT"];

  it("follows the source's type as the known macros do, without repetitions", () => {
    // Per type of the source, 2 of each other macro; all three are one for float.
    expect(typesOf(kernel(all), "", gpu)).toHaveLength(1 + 8 + 8);
    expect(typesOf(kernel(all), "", cpu)).toHaveLength(1 + 4 + 4);
    expect(typesOf(kernel([]), "", gpu)).toEqual([{}]);
  });

  it("takes macros that a text declares", () => {
    const text = "  #pragma metile type FROM(float, half, int)\n#pragma metile type TO(float,bool)\n";
    expect(typesOf(kernel(["FROM", "TO"]), text, gpu)).toHaveLength(6);
    expect(typesOf(kernel(["FROM", "TO"]), text, { ...gpu, quick: true })).toEqual([{ FROM: "float", TO: "float" }]);
  });

  it("leaves bfloat out where there is none, in buffers too", () => {
    expect(typesOf(kernel(["STORAGE"]), "", { ...gpu, bfloat: false })).toEqual([
      { STORAGE: "float" },
      { STORAGE: "half" },
    ]);
    const fixed = kernel([], {
      buffers: [{ name: "source", index: 0, element: "bfloat", access: "read", optional: false }],
    });
    expect(typesOf(fixed, "", { ...gpu, bfloat: false })).toEqual([]);
  });

  it("is float alone when quick", () => {
    expect(typesOf(kernel(all), "", { ...gpu, quick: true })).toEqual([
      { STORAGE: "float", PARAMETER: "float", COTANGENT: "float", GRADIENT: "float" },
    ]);
  });
});

const descriptorOf = (kernels: readonly KernelReflection[]): KernelsDescriptor => ({
  family: "sample",
  artefactVersion: 2,
  directory: new URL("file:///nowhere/"),
  sources: { "some.metal": "the text" },
  kernels,
});

describe("compileAll on a GPU", () => {
  it("compiles each variant for a tile of 4096 columns and one of 4097", () => {
    const fake = fakeGpu();
    const [report] = compileAll(fake.device, descriptorOf([kernel(["STORAGE"])]), false);
    expect(report).toMatchObject({
      family: "sample",
      kernel: "some_kernel",
      file: "some.metal",
      variants: 6,
      refused: [],
    });
    expect(fake.sources).toEqual([{ text: "the text", fileName: "some.metal" }]);
    const tiles = fake.variants.map((variant) => {
      const { STORAGE, PARAMETER, ROW_THREADS, ROW_PACK, ROW_WIDE, ROW_EXACT } = macrosIn(variant);
      return [STORAGE, PARAMETER, ROW_THREADS, ROW_PACK, ROW_WIDE, ROW_EXACT, variant.threads];
    });
    expect(tiles).toEqual([
      ["float", "float", "512", "4", "0", "1", 512],
      ["float", "float", "512", "1", "1", "0", 512],
      ["half", "float", "512", "8", "0", "1", 512],
      ["half", "float", "512", "1", "1", "0", 512],
      ["bfloat", "float", "512", "8", "0", "1", 512],
      ["bfloat", "float", "512", "1", "1", "0", 512],
    ]);
  });

  it("compiles what has no rows once a type, and one variant in all when quick", () => {
    const fake = fakeGpu();
    const plain = kernel(["STORAGE"], { threadgroup: [] });
    expect(compileAll(fake.device, descriptorOf([plain]), false)[0]?.variants).toBe(3);
    expect(fake.variants.every(({ threads }) => threads === 256)).toBe(true);
    expect(compileAll(fakeGpu().device, descriptorOf([kernel(["STORAGE"])]), true)[0]?.variants).toBe(1);
    expect(compileAll(fakeGpu({ bfloat: false }).device, descriptorOf([plain]), false)[0]?.variants).toBe(2);
  });

  it("lists what the compiler refuses with its words and macros, and goes on", () => {
    const fake = fakeGpu();
    fake.failure = "src/some.metal:3:7: error: no such thing";
    const [report] = compileAll(fake.device, descriptorOf([kernel(["STORAGE"])]), false);
    expect(report?.variants).toBe(6);
    expect(report?.refused).toHaveLength(6);
    expect(report?.refused[0]).toMatchObject({
      kernel: "some_kernel",
      file: "some.metal",
      message: "src/some.metal:3:7: error: no such thing",
    });
    expect(report?.refused[0]?.macros).toMatch(/^STORAGE=float ROW_PACKETS=\d .* ROW_THREADS=512$/);
  });
});

describe("compileAll on the CPU", () => {
  const own = (shared().kernels as KernelsDescriptor[]).find(({ family }) => family === "runtime") as KernelsDescriptor;

  it("finds every entry of the runtime's library", () => {
    const reports = compileAll(device("cpu"), own, false);
    expect(reports.flatMap(({ refused }) => refused)).toEqual([]);
    expect(reports.find(({ kernel: name }) => name === "strided_copy")?.variants).toBe(36);
  });

  it("tells of an entry that is missing, and of a missing library", () => {
    const more = { ...own, kernels: [...own.kernels, kernel(["STORAGE"], { name: "not_there" })] };
    const missing = compileAll(device("cpu"), more, false).flatMap(({ refused }) => refused);
    expect(missing.map(({ kernel: name, macros }) => [name, macros])).toEqual([
      ["not_there", "STORAGE=float"],
      ["not_there", "STORAGE=half"],
      ["not_there", "STORAGE=bfloat"],
    ]);
    const [nowhere] = compileAll(device("cpu"), descriptorOf([kernel([])]), false);
    expect(nowhere?.refused[0]?.message).toContain("expected the kernel library");
  });
});
