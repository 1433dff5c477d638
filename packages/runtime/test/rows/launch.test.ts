import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dtypeInfo } from "../../src/dtype/dtype.js";
import { elementLaunch, partialLaunch, type RowOperand, rowLaunch } from "../../src/family.js";
import { device, scope, tensor, zeros } from "../../src/index.js";
import type { RowLaunch } from "../../src/rows/launch.js";
import { columnLaunch } from "../../src/rows/launch.js";
import { fakeGpu } from "../support/gpu.js";

const gpu = fakeGpu();

/** A launch's macros as numbers. */
function macros({ macros }: RowLaunch): Record<string, number> {
  return macros as Record<string, number>;
}

/** A row buffer of a GPU. */
function operand(
  dtype: "float32" | "float16" | "bfloat16" | "bool",
  byteOffset = 0,
  stride?: number,
): NonNullable<RowOperand> {
  return { ...gpu.buffer(dtype, 1, byteOffset), ...(stride !== undefined && { stride }) };
}

const packFor = (columns: number, ...operands: RowOperand[]): number =>
  macros(rowLaunch(3, columns, operands)).ROW_PACK as number;

describe("packets on a GPU", () => {
  it.each([
    [4096, 8],
    [4100, 4],
    [4098, 2],
    [4097, 1],
    [1, 1],
    [8, 8],
    [7, 1],
  ])("rows of %d half floats go by %d", (columns, pack) => {
    expect(packFor(columns, operand("bfloat16", 0, columns), operand("bfloat16"))).toBe(pack);
  });

  it("are 16 bytes of the narrowest type, at most 16 elements", () => {
    expect(packFor(4096, operand("float32", 0, 4096), operand("float32"))).toBe(4);
    expect(packFor(4096, operand("float32", 0, 4096), operand("float16"))).toBe(8);
    expect(packFor(4096, operand("float32", 0, 4096), operand("bool"))).toBe(16);
  });

  it("divide every stride; a row that repeats divides anything", () => {
    expect(packFor(64, operand("bfloat16", 0, 64), operand("bfloat16", 0, 68))).toBe(4);
    expect(packFor(64, operand("bfloat16", 0, 65))).toBe(1);
    expect(packFor(64, operand("bfloat16", 0, 0))).toBe(8);
  });

  it("begin where every buffer is aligned to what is moved at once, outputs and weights too", () => {
    for (const [byteOffset, pack] of [
      [0, 8],
      [16, 8],
      [8, 4],
      [4, 2],
      [2, 1],
      [6, 1],
      [12, 2],
      [24, 4],
    ] as const)
      for (const stride of [64, undefined])
        expect(packFor(64, operand("bfloat16", 0, 64), operand("bfloat16", byteOffset, stride))).toBe(pack);
    // A float weight of 8 elements is moved 16 bytes at a time.
    expect(packFor(64, operand("bfloat16", 0, 64), operand("float32", 16))).toBe(8);
    expect(packFor(64, operand("bfloat16", 0, 64), operand("float32", 8))).toBe(2);
    expect(packFor(64, operand("bfloat16", 0, 64), operand("float32", 4))).toBe(1);
    expect(packFor(64, undefined, operand("bfloat16", 0, 64), null)).toBe(8);
  });
});

/** What row.h asks of a launch's macros, whatever is bound. */
function expectRight(columns: number, operands: readonly RowOperand[], launch: RowLaunch): void {
  const { ROW_PACK: pack = 0, ROW_PACKETS: packets = 0, ROW_WIDE: wide, ROW_EXACT: exact } = macros(launch);
  const threads = launch.threads as number;
  expect([1, 2, 4, 8, 16]).toContain(pack);
  expect([32, 64, 128, 256, 512, 1024]).toContain(threads);
  expect(packets).toBeGreaterThanOrEqual(1);
  expect(packets).toBeLessThanOrEqual(4);
  expect(columns % pack).toBe(0);
  const tile = threads * packets * pack;
  if (wide === 0) expect(tile).toBeGreaterThanOrEqual(columns);
  else expect(columns).toBeGreaterThan(1024 * 4 * pack);
  expect(exact).toBe(tile === columns ? 1 : 0);
  expect(launch.threadgroup).toEqual({ scratch: 512 });
  for (const each of operands) {
    if (!each) continue;
    const { bytes } = dtypeInfo(each.dtype);
    expect(pack * bytes).toBeLessThanOrEqual(64);
    expect((each.stride ?? columns) % pack).toBe(0);
    expect(each.byteOffset % Math.min(16, pack * bytes)).toBe(0);
  }
}

describe("tiles on a GPU", () => {
  it("hold every width from 1 to 4097 and some beyond, or are wide", () => {
    for (const dtype of ["float32", "bfloat16"] as const) {
      const operands = [operand(dtype, 0, 0)];
      for (let columns = 1; columns <= 4097; columns += 1)
        expectRight(columns, operands, rowLaunch(2, columns, operands));
      for (const columns of [4098, 8192, 16_384, 16_388, 32_768, 32_776, 65_535, 65_536])
        expectRight(columns, operands, rowLaunch(2, columns, operands));
    }
  });

  it("are what row.h asks for, whatever is bound", () => {
    const operands = fc.array(
      fc.record({
        dtype: fc.constantFrom("float32", "float16", "bfloat16", "bool"),
        elements: fc.nat(40),
        stride: fc.option(fc.nat(10_000), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70_000 }), fc.nat(5), operands, (columns, rows, drawn) => {
        const bound = drawn.map(({ dtype, elements, stride }) =>
          operand(dtype, elements * dtypeInfo(dtype).bytes, stride),
        );
        expectRight(columns, bound, rowLaunch(rows + 1, columns, bound));
        expectRight(columns, bound, partialLaunch(rows + 1, columns, bound));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [1, { threads: 32, packets: 1, wide: 0, exact: 0 }],
    [256, { threads: 32, packets: 1, wide: 0, exact: 1 }],
    [264, { threads: 64, packets: 1, wide: 0, exact: 0 }],
    [4096, { threads: 512, packets: 1, wide: 0, exact: 1 }],
    [4104, { threads: 512, packets: 2, wide: 0, exact: 0 }],
    [16_384, { threads: 512, packets: 4, wide: 0, exact: 1 }],
    [32_768, { threads: 1024, packets: 4, wide: 0, exact: 1 }],
    [32_776, { threads: 512, packets: 2, wide: 1, exact: 0 }],
    [65_536, { threads: 512, packets: 2, wide: 1, exact: 0 }],
  ])("for %d half floats", (columns, { threads, packets, wide, exact }) => {
    const launch = rowLaunch(5, columns, [operand("float16", 0, columns)]);
    expect(launch.threads).toBe(threads);
    expect(launch.macros).toMatchObject({ ROW_PACKETS: packets, ROW_WIDE: wide, ROW_EXACT: exact });
  });

  it("fetch ahead where registers are few", () => {
    const ahead = (columns: number, count: number): unknown =>
      rowLaunch(5, columns, new Array(count).fill(operand("bfloat16", 0, columns))).macros?.ROW_PREFETCH;
    expect([ahead(4096, 1), ahead(4096, 4), ahead(8192, 2), ahead(8192, 3)]).toEqual([1, 1, 1, 0]);
    expect([ahead(16_384, 1), ahead(16_384, 2), ahead(32_768, 1), ahead(65_536, 1)]).toEqual([1, 0, 0, 0]);
  });

  it("are few: the widths and types of models make few variants, and the same launch gives the same object", () => {
    const seen = new Set<unknown>();
    for (const columns of [64, 96, 128, 512, 768, 1024, 1536, 2048, 3072, 4096, 5120, 6144, 8192, 11_008, 16_384])
      for (const dtype of ["float32", "float16", "bfloat16"] as const)
        seen.add(rowLaunch(7, columns, [operand(dtype, 0, columns)]).macros);
    expect(seen.size).toBeLessThan(32);
    const again = (): RowLaunch => rowLaunch(7, 512, [operand("float16", 0, 512)]);
    expect(again().macros).toBe(again().macros);
    expect(Object.isFrozen(again().macros)).toBe(true);
  });
});

describe("threadgroups", () => {
  const row = operand("float32", 0, 64);

  it("on a GPU: one a row up to 1024; a partial sum for every 4 rows up to 256", () => {
    const groups = [1, 5, 1024, 5000].map((rows) =>
      [rowLaunch, partialLaunch].map((make) => make(rows, 64, [row]).groups),
    );
    expect(groups).toEqual([
      [1, 1],
      [5, 2],
      [1024, 256],
      [1024, 256],
    ]);
  });

  it("of sums do not depend on how rows lie", () => {
    for (const rows of [1, 9, 777])
      expect(partialLaunch(rows, 64, [operand("float32", 4, 67)]).groups).toBe(partialLaunch(rows, 64, [row]).groups);
  });

  it("of kernels without rows", () => {
    expect(elementLaunch(gpu.device, 1)).toEqual({ groups: 1, threads: 256, work: 1 });
    expect(elementLaunch(gpu.device, 1025).groups).toBe(2);
    expect(elementLaunch(gpu.device, 2 ** 31).groups).toBe(4096);
    expect(columnLaunch(gpu.device, 3, 65)).toMatchObject({
      groups: 3,
      threads: 256,
      threadgroup: { scratch: 512 },
      work: 195,
    });
  });

  it("on a CPU: as ever, and nothing that a GPU would need", () => {
    scope(() => {
      const cpu = device("cpu");
      const source = tensor([1], null, "float32", cpu);
      expect(rowLaunch(1000, 4096, [source])).toEqual({ groups: 125, work: 4_096_000 });
      expect(rowLaunch(3, 65_536, [undefined, source])).toEqual({ groups: 3, work: 196_608 });
      expect(rowLaunch(100_000, 4096, [source]).groups).toBe(256);
      expect(partialLaunch(1000, 4096, [source])).toEqual({ groups: 63, work: 4_096_000 });
      expect(partialLaunch(100_000, 64, [source]).groups).toBe(64);
      expect(elementLaunch(cpu, 65_537)).toEqual({ groups: 3, work: 65_537 });
      expect(columnLaunch(cpu, 4, 513)).toEqual({ groups: 2, work: 2052 });
      expect(zeros([0], "float32", cpu).size).toBe(0);
    });
  });

  it("need something bound", () => {
    expect(() => rowLaunch(1, 1, [undefined, null])).toThrow("rowLaunch: operands: expected a tensor, received none");
  });
});
