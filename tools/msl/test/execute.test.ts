import { readFileSync } from "node:fs";
import { findCompiler, NoCompilerError } from "@metile/compiler";
import { beforeAll, describe, expect, it } from "vitest";
import { compileText, runEntry } from "./driver.js";
import { type ReadText, read } from "./kit.js";

const text = readFileSync(new URL("fixtures/shapes.metal", import.meta.url), "utf8");
const shapes = (): ReadText => read(text);
const line = (count: number, parts = 3) => ({ groups: [count, 1, 1] as const, parts });
const uint = (...values: number[]) => Uint32Array.from(values);
const floats = (count: number, of: (index: number) => number) => Float32Array.from({ length: count }, (_, i) => of(i));

describe("compiled kernels", () => {
  let path = "";
  beforeAll(() => {
    path = compileText(shapes());
  });

  it("stop at a guard's limit, however the launch is split", () => {
    for (const parts of [1, 3, 7]) {
      for (const limit of [0, 5, 37, 40, 50]) {
        const target = new Float32Array(40).fill(-1);
        const source = floats(40, (i) => i + 0.5);
        runEntry(path, "doubled__float_float", line(40, parts), { 0: source, 1: target, 2: uint(limit) });
        expect(target).toEqual(floats(40, (i) => (i < limit ? 2 * i + 1 : -1)));
      }
    }
  });

  it("come out of macros", () => {
    const target = new Float32Array(100);
    runEntry(path, "squared__float_float", line(100), { 0: floats(100, (i) => i), 1: target, 2: uint(100) });
    expect(target).toEqual(floats(100, (i) => i * i));
    runEntry(path, "halved__float_float", line(100), { 0: floats(100, (i) => i), 1: target, 2: uint(100) });
    expect(target).toEqual(floats(100, (i) => i / 2));
  });

  it("have types by variant", () => {
    const bfloats = Uint16Array.of(0x3f80, 0xc040, 0x7f80); // 1, -3, infinity
    const target = new Float32Array(3);
    runEntry(path, "doubled__bfloat_float", line(3), { 0: bfloats, 1: target, 2: uint(3) });
    expect([...target]).toEqual([2, -6, Number.POSITIVE_INFINITY]);
    const halves = Uint16Array.of(0x3c00, 0xc200, 0x0001); // 1, -3, the smallest
    const narrow = new Uint16Array(3);
    runEntry(path, "doubled__half_half", line(3), { 0: halves, 1: narrow, 2: uint(3) });
    expect([...narrow]).toEqual([0x4000, 0xc600, 0x0002]);
  });

  it("know positions and sizes in three dimensions", () => {
    const groups = [5, 3, 4] as const;
    for (const parts of [1, 7, 60]) {
      const target = new Uint32Array(60);
      runEntry(path, "positions", { groups, parts }, { 0: target, 1: uint(10, 100) });
      const expected = Uint32Array.from({ length: 60 }, (_, at) => {
        const [x, y, z] = [at % 5, Math.floor(at / 5) % 3, Math.floor(at / 15)];
        return x * 10 + y * 100 + z + 1;
      });
      expect(target).toEqual(expected);
    }
  });

  it("have threadgroup memory, static and dynamic", () => {
    const sums = new Float32Array(6);
    const source = floats(6 * 11, (i) => i);
    runEntry(path, "row_sums", line(6), { 0: source, 1: sums, 2: uint(11) });
    expect(sums).toEqual(floats(6, (row) => 11 * 11 * row + 55 + 6));
  });

  it("may read what they wrote where buffers are declared to overlap", () => {
    expect(shapes().file.unit.pragmas.map(({ name }) => name.text)).toEqual(["alias"]);
    const target = new Float32Array(9);
    runEntry(path, "shifted", line(1, 1), { 0: floats(9, (i) => i), 1: target, 2: uint(9) });
    expect(target).toEqual(floats(9, (i) => i));
  });
});

describe("two compilers", () => {
  it("give the same bits", ({ skip }) => {
    const outputs = (["zig", "system"] as const).map((prefer) => {
      try {
        const path = compileText(shapes(), findCompiler({ prefer }));
        const source = floats(1000, (i) => Math.sin(i) * 3);
        const narrow = new Uint16Array(1000);
        runEntry(path, "squared__half_half", line(1000), {
          0: Uint16Array.from({ length: 1000 }, (_, i) => i * 61),
          1: narrow,
          2: uint(1000),
        });
        const sums = new Float32Array(10);
        runEntry(path, "row_sums", line(10), { 0: source, 1: sums, 2: uint(100) });
        return [...narrow, ...new Uint32Array(sums.buffer)];
      } catch (error) {
        if (error instanceof NoCompilerError) return skip(`no ${prefer} compiler here`);
        throw error;
      }
    });
    expect(outputs[0]).toEqual(outputs[1]);
  });
});
