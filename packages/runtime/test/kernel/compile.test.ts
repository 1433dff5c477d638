import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  ArgumentError,
  compileKernels,
  DtypeError,
  device,
  KernelError,
  LifetimeError,
  type MetileError,
  ShapeError,
  tensor,
  zeros,
} from "../../src/index.js";
import { ownKernelCache } from "../support/cache.js";
import { thrown } from "../support/thrown.js";

const cache = ownKernelCache();

const text = `
#include <metal_stdlib>
using namespace metal;

kernel void scale_rows(
    device const STORAGE* source [[buffer(0)]],
    device STORAGE* target [[buffer(1)]],
    device const float* weight [[buffer(2)]],
    constant uint& has_weight [[buffer(3)]],
    constant uint& count [[buffer(4)]],
    constant float& factor [[buffer(5)]],
    uint index [[thread_position_in_grid]]) {
  if (index >= count) return;
  const float scaled = factor * float(source[index]);
  target[index] = STORAGE(has_weight ? scaled * weight[index] : scaled);
}
`;

type Loose = (
  buffers: Record<string, unknown>,
  constants: Record<string, unknown>,
  shape: Record<string, unknown>,
) => void;
const { scaleRows } = compileKernels(text, "scale.metal") as unknown as { scaleRows: Loose };

const onCpu = device().name === "cpu";
const source = tensor([1, 2, 3]);
const target = zeros([3]);
const constants = { count: 3, factor: 2 };
const shape = { groups: 3, work: 3 };

describe("compileKernels", () => {
  it("makes a kernel callable: buffers, constants and groups by name", () => {
    scaleRows({ source, target }, constants, shape);
    expect(Array.from(target.dataSync())).toEqual([2, 4, 6]);
  });

  it("binds an optional buffer, and tells the kernel whether it is there", () => {
    const weight = tensor([1, 10, 100]);
    scaleRows({ source, target, weight }, constants, shape);
    expect(Array.from(target.dataSync())).toEqual([2, 40, 600]);
    scaleRows({ source, target, weight: null }, constants, shape);
    expect(Array.from(target.dataSync())).toEqual([2, 4, 6]);
  });

  it("compiles a variant for each type it is called with, and reads views at their offset", () => {
    for (const dtype of ["float16", "bfloat16"] as const) {
      const halves = tensor([7, 1, 2, 3], null, dtype).slice([1]);
      const made = zeros([3], dtype);
      scaleRows({ source: halves, target: made }, { count: 3, factor: 0.5 }, shape);
      expect(Array.from(made.dataSync())).toEqual([0.5, 1, 1.5]);
    }
  });

  it.runIf(onCpu)("keeps what it compiled in the cache folder, and compiles a text once (CPU only)", () => {
    const files = readdirSync(cache);
    expect(files.length).toBeGreaterThan(0);
    const again = compileKernels(text, "scale.metal") as unknown as { scaleRows: Loose };
    again.scaleRows({ source, target }, constants, shape);
    expect(readdirSync(cache)).toEqual(files);
    expect(Array.from(target.dataSync())).toEqual([2, 4, 6]);
  });

  it("counts as a write: the version of what it wrote rises, that of what it read does not", () => {
    const versions = [source.storage.version, target.storage.version];
    scaleRows({ source, target }, constants, shape);
    expect(source.storage.version).toBe(versions[0]);
    expect(target.storage.version).toBeGreaterThan(versions[1] as number);
  });

  it("takes the shared headers", () => {
    const { rows } = compileKernels(`
      #include "metile/row.h"
      using namespace metal;
      kernel void rows(device float* target [[buffer(0)]], constant uint& count [[buffer(1)]], uint index [[thread_position_in_grid]]) {
        if (index < count) target[index] = float(ROW_THREADS);
      }`) as unknown as { rows: Loose };
    const made = zeros([2]);
    rows({ target: made }, { count: 2 }, { groups: 2 });
    expect(Array.from(made.dataSync())).toEqual([1, 1]);
  });
});

describe("a launch refuses, and queues nothing:", () => {
  const message = (kind: new (...facts: never[]) => Error, run: () => unknown): string => {
    const { launches } = device().counters;
    const error = thrown<MetileError>(run);
    expect(error).toBeInstanceOf(kind);
    expect(device().counters.launches).toBe(launches);
    return error.message;
  };

  it("a buffer that is missing", () => {
    expect(message(ArgumentError, () => scaleRows({ source }, constants, shape))).toMatchInlineSnapshot(
      `"scale_rows: target: expected a buffer, received undefined."`,
    );
  });

  it("buffers of types that do not go together", () => {
    using half = zeros([3], "float16");
    expect(message(DtypeError, () => scaleRows({ source, target: half }, constants, shape))).toMatchInlineSnapshot(
      `"scale_rows: target: expected one type for all buffers of STORAGE, received float16."`,
    );
    expect(
      message(DtypeError, () => scaleRows({ source, target, weight: half }, constants, shape)),
    ).toMatchInlineSnapshot(`"scale_rows: weight: expected float32, received float16."`);
  });

  // A GPU compiles whatever types it meets.
  it.runIf(onCpu)("a type that the kernel has no variant for (CPU only)", () => {
    using whole = zeros([3], "int32");
    expect(thrown(() => scaleRows({ source: whole, target: whole }, constants, shape))).toBeInstanceOf(Error);
    expect(message(KernelError, () => scaleRows({ source: whole, target: whole }, constants, shape))).toMatch(/scale/);
  });

  it("a disposed tensor, and storage that was released", () => {
    const gone = zeros([3]);
    const { storage, byteOffset, dtype } = gone;
    gone.dispose();
    expect(message(LifetimeError, () => scaleRows({ source: gone, target }, constants, shape))).toMatchInlineSnapshot(
      `"tensor [3] float32: expected a live tensor, received one that was disposed of."`,
    );
    expect(
      message(LifetimeError, () => scaleRows({ source: { storage, byteOffset, dtype }, target }, constants, shape)),
    ).toMatchInlineSnapshot(`"scale_rows: source: expected live storage, received storage that was released."`);
  });

  it("constants that are missing or out of range", () => {
    expect(message(ArgumentError, () => scaleRows({ source, target }, { count: 3 }, shape))).toMatchInlineSnapshot(
      `"scale_rows: factor: expected a number, received undefined."`,
    );
    expect(
      message(ArgumentError, () => scaleRows({ source, target }, { count: -1, factor: 1 }, shape)),
    ).toMatchInlineSnapshot(
      `"scale_rows: count: expected a whole number from 0 below 4294967296 (uint), received -1."`,
    );
    expect(
      message(ArgumentError, () => scaleRows({ source, target }, { count: 2 ** 32, factor: 1 }, shape)),
    ).toMatchInlineSnapshot(
      `"scale_rows: count: expected a whole number from 0 below 4294967296 (uint), received 4294967296."`,
    );
    expect(
      message(ArgumentError, () => scaleRows({ source, target }, { count: 1.5, factor: 1 }, shape)),
    ).toMatchInlineSnapshot(
      `"scale_rows: count: expected a whole number from 0 below 4294967296 (uint), received 1.5."`,
    );
    expect(
      message(ArgumentError, () => scaleRows({ source, target }, { count: 3, factor: "2" }, shape)),
    ).toMatchInlineSnapshot(`"scale_rows: factor: expected a number, received "2"."`);
  });

  it("groups that are no count", () => {
    for (const groups of [-1, 1.5, 2 ** 32, Number.NaN, [1, 2 ** 32, 1]])
      expect(message(ShapeError, () => scaleRows({ source, target }, constants, { groups }))).toMatch(/groups/);
  });
});

describe("a text that is not right", () => {
  it("is refused with file, line and column", () => {
    const error = thrown(() => compileKernels("kernel void broken(device float* x [[buffer(0)]] {", "broken.metal"));
    expect(error).toBeInstanceOf(KernelError);
    expect(error.message).toMatch(/broken\.metal:1/);
  });

  it("that the compiler refuses fails at its first launch, with the place in the text", () => {
    const { wrong } = compileKernels(
      "kernel void wrong(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n  x[i] = missing;\n}",
      "wrong.metal",
    ) as unknown as { wrong: Loose };
    using made = zeros([1]);
    const error = thrown(() => wrong({ x: made }, {}, { groups: 1 }));
    expect(error).toBeInstanceOf(KernelError);
    expect(error.message).toMatch(/wrong\.metal/);
    expect(error.message).toMatch(/missing/);
  });

  it("that is no text is refused", () => {
    expect(thrown(() => compileKernels(7 as never)).message).toMatchInlineSnapshot(
      `"compileKernels: text: expected a string, received number."`,
    );
  });
});
