import { describe, expect, test } from "vitest";
import { emulate, type TypedArray } from "../src/index.js";
import { changed, lineOf } from "./kit.js";
import { launchModule } from "./module-kit.js";

const SIZE = 32;

/** c = a · b for matrices of 32 by 32, by four simdgroups: tiles of 8 columns of a and 8 rows of b pass through threadgroup memory. */
const GEMM = `#include <metal_stdlib>
using namespace metal;
#line 1 "gemm.metal"
kernel void gemm(device const STORAGE* a [[buffer(0)]], device const STORAGE* b [[buffer(1)]], device float* c [[buffer(2)]],
    uint tid [[thread_index_in_threadgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup STORAGE left[32 * 8], right[8 * 32];
  const uint row = simdgroup / 2 * 16, column = simdgroup % 2 * 16;
  simdgroup_float8x8 sums[2][2];
  for (uint i = 0; i < 2; ++i) for (uint j = 0; j < 2; ++j) sums[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint k = 0; k < 32; k += 8) {
    for (uint i = tid; i < 256; i += 128) {
      left[i] = a[i / 8 * 32 + k + i % 8];
      right[i] = b[k * 32 + i];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup); // after staging
    for (uint i = 0; i < 2; ++i) {
      simdgroup_matrix<STORAGE, 8, 8> x;
      simdgroup_load(x, left + (row + i * 8) * 8, 8);
      for (uint j = 0; j < 2; ++j) {
        simdgroup_matrix<STORAGE, 8, 8> y;
        simdgroup_load(y, right, 32, ulong2(column + j * 8, 0));
        simdgroup_multiply_accumulate(sums[i][j], x, y, sums[i][j]);
      }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup); // before the next
  }
  for (uint i = 0; i < 2; ++i) for (uint j = 0; j < 2; ++j) {
    simdgroup_store(sums[i][j], c + (row + i * 8) * 32, 32, ulong2(column + j * 8, 0));
  }
}
`;

/** Small numbers that all types hold, so that products are exact. */
const values = (seed: number) => Float64Array.from({ length: SIZE * SIZE }, (_, i) => ((i * 7 + seed * 13) % 17) - 8);

/** Float64 product; with `turned`, of a and b's transpose. */
function product(a: Float64Array, b: Float64Array): Float32Array {
  return Float32Array.from({ length: SIZE * SIZE }, (_, at) => {
    let sum = 0;
    for (let k = 0; k < SIZE; k += 1) {
      sum += (a[Math.floor(at / SIZE) * SIZE + k] as number) * (b[k * SIZE + (at % SIZE)] as number);
    }
    return sum;
  });
}

const bitsOfFloat = (value: number) => new Uint32Array(Float32Array.of(value).buffer)[0] as number;

/** Whole numbers from -8 to 8 as a buffer of a type. */
function encode(numbers: Float64Array, type: string): TypedArray {
  if (type === "float") return Float32Array.from(numbers);
  if (type === "bfloat") return Uint16Array.from(numbers, (value) => bitsOfFloat(value) >>> 16);
  return Uint16Array.from(numbers, (value) => {
    if (value === 0) return 0;
    const exponent = Math.floor(Math.log2(Math.abs(value)));
    return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | ((Math.abs(value) / 2 ** exponent - 1) * 1024);
  });
}

const HEADER = '#include <metal_stdlib>\nusing namespace metal;\n#line 1 "kernel.metal"\n';

/** Runs one simdgroup over 8 by 8 floats. */
async function simdgroup(body: string, threads = 32) {
  const { buffers, reports } = await emulate({
    file: "kernel.metal",
    text: `${HEADER}kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
    uint lane [[thread_index_in_simdgroup]]) {\n  simdgroup_float8x8 a, b;\n${body}\n}`,
    kernel: "f",
    buffers: { x: Float32Array.from({ length: 64 }, (_, index) => index), y: new Float32Array(64) },
    groups: 1,
    threads,
  });
  return { y: Array.from(buffers.y as Float32Array), reports };
}

describe.runIf(process.platform === "linux")("matrices of a simdgroup", () => {
  const [a, b] = [values(1), values(2)];

  test.each(["float", "half", "bfloat"])(
    "a product of %s by way of threadgroup memory, as float64 has it",
    async (type) => {
      const macros = { STORAGE: type };
      const buffers = { a: encode(a, type), b: encode(b, type), c: new Float32Array(SIZE * SIZE) };
      const shared = { text: GEMM, macros, kernel: "gemm" };
      const watched = await emulate({ ...shared, file: "gemm.metal", buffers, groups: 1, threads: 128 });
      expect(watched.reports).toEqual([]);
      expect(watched.buffers.c).toEqual(product(a, b));
      const plain = await launchModule("plain", {
        ...shared,
        threads: [128, 1, 1],
        groups: [1, 1, 1],
        buffers: { 0: buffers.a, 1: buffers.b, 2: buffers.c },
      });
      expect(plain).toMatchObject({ answer: 0, message: "" });
      expect(plain.buffers[2]).toEqual(product(a, b));
    },
  );

  test.each([
    ["after staging", "simdgroup_load(y, right", "left[i] = a["],
    ["before the next", "left[i] = a[", "left[i] = a["],
  ])("the same without the barrier %s", async (comment, line) => {
    const text = changed(GEMM, `    threadgroup_barrier(mem_flags::mem_threadgroup); // ${comment}\n`, "\n");
    const buffers = { a: encode(a, "float"), b: encode(b, "float"), c: new Float32Array(SIZE * SIZE) };
    const request = { text, file: "gemm.metal", macros: { STORAGE: "float" }, kernel: "gemm", buffers };
    const { reports } = await emulate({ ...request, groups: 1, threads: 128 });
    const places = reports.map((report) => `${report.kind}:${report.line}`);
    expect(places).toContain(`race:${lineOf(text, line) - 3}`);
  });

  test("a load past a buffer, a store past another, a row too far in threadgroup memory", async () => {
    const read = await simdgroup("  simdgroup_load(a, x + 8, 8);\n  simdgroup_store(a, y);");
    expect(read.reports).toMatchObject([
      { kind: "out-of-bounds", line: 4, message: "read of 4 bytes at byte 256 of x, which has 256 bytes" },
    ]);
    const write = await simdgroup("  simdgroup_load(a, x);\n  simdgroup_store(a, y, 9);");
    expect(write.reports[0]).toMatchObject({ kind: "out-of-bounds", line: 5 });
    const staged = await simdgroup(
      "  threadgroup float s[64];\n  s[lane] = s[lane + 32] = 0.0f;\n  simdgroup_barrier(mem_flags::mem_threadgroup);\n  simdgroup_load(a, s, 8, ulong2(0, 1));\n  simdgroup_store(a, y);",
    );
    expect(staged.reports[0]).toMatchObject({ kind: "out-of-bounds", line: 7 });
  });

  test("a load from threadgroup memory that nobody wrote", async () => {
    const { reports } = await simdgroup(
      "  threadgroup float s[64];\n  simdgroup_load(a, s);\n  simdgroup_store(a, y);",
    );
    expect(reports[0]).toMatchObject({ kind: "uninitialised-threadgroup", line: 5 });
  });

  test("lanes that are elsewhere, and lanes that are not there", async () => {
    const apart = await simdgroup("  simdgroup_load(a, x);\n  if (lane < 16) simdgroup_store(a, y);");
    expect(apart.reports[0]).toMatchObject({ kind: "simd-divergence", line: 5 });
    const partial = await simdgroup("  simdgroup_load(a, x);\n  simdgroup_store(a, y);", 24);
    expect(partial.reports[0]).toMatchObject({ kind: "missing-lane", line: 4 });
  });

  test("elements of lanes, transposition, origins, products and diagonals", async () => {
    const place = (at: number) => [Math.floor(at / 8), at % 8] as const;
    const cases: [string, (row: number, column: number) => number][] = [
      ["simdgroup_load(a, x); simdgroup_store(a, y);", (row, column) => 8 * row + column],
      ["simdgroup_load(a, x, 8, ulong2(0, 0), true); simdgroup_store(a, y);", (row, column) => 8 * column + row],
      ["simdgroup_load(a, x); simdgroup_store(a, y, 8, ulong2(0, 0), true);", (row, column) => 8 * column + row],
      ["a = simdgroup_float8x8(3.0f); simdgroup_store(a, y);", (row, column) => (row === column ? 3 : 0)],
      [
        "simdgroup_load(a, x); b = simdgroup_float8x8(2.0f); simdgroup_multiply(a, a, b); simdgroup_store(a, y);",
        (row, column) => 2 * (8 * row + column),
      ],
      [
        "a.thread_elements()[0] = float(lane); a.thread_elements()[1] = float(lane) + 0.5f; simdgroup_store(a, y);",
        (row, column) =>
          Math.floor(row / 4) * 16 +
          Math.floor(column / 4) * 8 +
          (row % 4) * 2 +
          Math.floor((column % 4) / 2) +
          (column % 2) / 2,
      ],
    ];
    for (const [body, value] of cases) {
      const { y, reports } = await simdgroup(`  ${body}`);
      expect(reports).toEqual([]);
      expect(y).toEqual(y.map((_, at) => value(...place(at))));
    }
  });
});
