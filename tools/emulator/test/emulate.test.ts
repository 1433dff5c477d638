import { describe, expect, test } from "vitest";
import { type EmulateOptions, emulate } from "../src/index.js";

const HEADER = "#include <metal_stdlib>\nusing namespace metal;\n";

/** Runs a kernel over floats: `input` to `output`, one for each thread. */
async function run(body: string, options: Partial<EmulateOptions> & { threads: number }): Promise<number[]> {
  const groups = typeof options.groups === "number" ? options.groups : 1;
  const size = options.threads * groups;
  const { buffers, reports } = await emulate({
    text: `${HEADER}kernel void f(
    device const float* input [[buffer(0)]], device float* output [[buffer(1)]],
    uint i [[thread_position_in_grid]], uint tid [[thread_position_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]], uint threads [[threads_per_threadgroup]]) {\n${body}\n}\n`,
    kernel: "f",
    buffers: { input: Float32Array.from({ length: size }, (_, index) => index), output: new Float32Array(size) },
    groups: 1,
    ...options,
  });
  expect(reports).toEqual([]);
  return Array.from(buffers.output as Float32Array);
}

const lanes = (threads: number) => Array.from({ length: threads }, (_, index) => index);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe.runIf(process.platform === "linux")("simd functions exchange values between the lanes of a simdgroup", () => {
  test.each([1, 31, 32, 33, 40, 96, 1024])(
    "sums and extremes of %i threads, the last simdgroup partial or full",
    async (threads) => {
      const simdgroup = (index: number) => lanes(threads).filter((other) => other >> 5 === index >> 5);
      expect(await run("output[i] = simd_sum(input[i]);", { threads })).toEqual(
        lanes(threads).map((index) => sumOf(simdgroup(index))),
      );
      expect(await run("output[i] = simd_max(input[i]) - simd_min(input[i]);", { threads })).toEqual(
        lanes(threads).map((index) => simdgroup(index).length - 1),
      );
    },
  );

  test("shuffles", async () => {
    const threads = 64;
    const at = (index: number, lane: number) => (index & 32) + lane;
    const cases: [string, (index: number) => number][] = [
      ["simd_shuffle(input[i], ushort(31 - lane))", (index) => at(index, 31 - (index & 31))],
      ["simd_shuffle_xor(input[i], 5)", (index) => index ^ 5],
      ["simd_shuffle_down(input[i], 3)", (index) => ((index & 31) < 29 ? index + 3 : index)],
      ["simd_shuffle_up(input[i], 3)", (index) => ((index & 31) > 2 ? index - 3 : index)],
      ["simd_broadcast(input[i], 7)", (index) => at(index, 7)],
      ["simd_broadcast_first(input[i])", (index) => at(index, 0)],
      ["simd_prefix_exclusive_sum(1.0f)", (index) => index & 31],
      ["simd_prefix_inclusive_sum(1.0f)", (index) => (index & 31) + 1],
      ["float(simd_all(lane < 32))", () => 1],
      ["float(simd_any(lane == 40))", () => 0],
      ["float(simd_xor(i))", () => 0],
    ];
    const results = await Promise.all(cases.map(([call]) => run(`output[i] = ${call};`, { threads })));
    expect(results).toEqual(cases.map(([, value]) => lanes(threads).map(value)));
  });

  test("many in a row, with half and vectors", async () => {
    const body = `
  float sum = 0.0f;
  for (uint turn = 0; turn < 40; ++turn) sum += simd_sum(float(turn) + input[i]);
  float2 both = simd_shuffle_xor(float2(sum, input[i]), 1);
  output[i] = both.y + float(simd_max(half(lane)));`;
    expect(await run(body, { threads: 32 })).toEqual(lanes(32).map((index) => (index ^ 1) + 31));
  });
});

describe.runIf(process.platform === "linux")("threads of a threadgroup work together", () => {
  test.each([32, 40, 320, 1024])("barriers: %i threads reverse their values through shared memory", async (threads) => {
    const body = `
  threadgroup float values[1024];
  for (uint turn = 0; turn < 3; ++turn) {
    values[tid] = input[i] + float(turn);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    output[i] = values[threads - 1 - tid];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }`;
    expect(await run(body, { threads, groups: 2 })).toEqual(
      lanes(2 * threads).map((index) => Math.floor(index / threads) * threads + threads - 1 - (index % threads) + 2),
    );
  });

  test("a simdgroup barrier orders the lanes of one simdgroup", async () => {
    const body = `
  threadgroup float values[64];
  values[tid] = input[i];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  output[i] = values[tid ^ 1];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  values[tid] = 0.0f;`;
    expect(await run(body, { threads: 64 })).toEqual(lanes(64).map((index) => index ^ 1));
  });

  test("device memory behind a barrier for it", async () => {
    const body = `
  output[i] = input[i];
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  float other = output[i ^ 1];
  threadgroup_barrier(mem_flags::mem_device);
  output[i] = other;`;
    expect(await run(body, { threads: 64, groups: 2 })).toEqual(lanes(128).map((index) => index ^ 1));
  });

  test("neighbours write the halves of one word", async () => {
    const { buffers, reports } = await emulate({
      text: `${HEADER}kernel void f(device half* output [[buffer(0)]], uint i [[thread_position_in_grid]]) { output[i] = half(i); }`,
      kernel: "f",
      buffers: { output: new Uint16Array(64) },
      groups: 2,
      threads: 32,
    });
    expect(reports).toEqual([]);
    expect((buffers.output as Uint16Array)[1]).toBe(0x3c00);
  });

  test("atomics of all threadgroups, without a race", async () => {
    const { buffers, reports } = await emulate({
      text: `${HEADER}kernel void f(device atomic_uint* total [[buffer(0)]], threadgroup atomic_uint* own [[threadgroup(0)]],
    uint tid [[thread_position_in_threadgroup]], uint i [[thread_position_in_grid]]) {
  if (tid == 0) atomic_store_explicit(own, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(own, i, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (tid == 0) atomic_fetch_add_explicit(total, atomic_load_explicit(own, memory_order_relaxed), memory_order_relaxed);
}`,
      kernel: "f",
      buffers: { total: Uint32Array.of(5) },
      initialised: ["total"],
      threadgroup: { own: 4 },
      groups: 3,
      threads: 40,
    });
    expect(reports).toEqual([]);
    expect(buffers.total).toEqual(Uint32Array.of(5 + (119 * 120) / 2));
  });

  test("atomics of every type, in device and threadgroup memory", async () => {
    const relaxed = "memory_order_relaxed";
    const { buffers, reports } = await emulate({
      text: `${HEADER}kernel void f(device atomic_float* sums [[buffer(0)]], device atomic_int* extremes [[buffer(1)]],
    device atomic_bool* flags [[buffer(2)]], device atomic_ulong* greatest [[buffer(3)]], device atomic_uint* bits [[buffer(4)]],
    uint i [[thread_position_in_grid]], uint tid [[thread_position_in_threadgroup]]) {
  atomic_fetch_add_explicit(&sums[0], 0.5f * float(i), ${relaxed});
  atomic_fetch_sub_explicit(&sums[1], 1.0f, ${relaxed});
  float seen = atomic_load_explicit(&sums[2], ${relaxed});
  while (!atomic_compare_exchange_weak_explicit(&sums[2], &seen, seen + 2.0f, ${relaxed}, ${relaxed})) {}
  atomic_fetch_max_explicit(&extremes[0], int(i) - 10, ${relaxed});
  atomic_fetch_min_explicit(&extremes[1], int(i) - 10, ${relaxed});
  if (i == 33) atomic_store_explicit(&flags[0], true, ${relaxed});
  atomic_exchange_explicit(&flags[1], false, ${relaxed});
  atomic_max_explicit(&greatest[0], ulong(i) << 40, ${relaxed});
  atomic_min_explicit(&greatest[1], ulong(i) + 7, ${relaxed});
  threadgroup atomic_uint own;
  if (tid == 0) atomic_store_explicit(&own, 0u, ${relaxed});
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_or_explicit(&own, 1u << (tid % 32), ${relaxed});
  atomic_fetch_and_explicit(&own, 0xfffffff0u, ${relaxed});
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (tid == 0) atomic_fetch_xor_explicit(bits, atomic_load_explicit(&own, ${relaxed}) & ~0xfu, ${relaxed});
}`,
      kernel: "f",
      buffers: {
        sums: new Float32Array(3),
        extremes: new Int32Array(2),
        flags: Uint8Array.of(0, 1),
        greatest: BigUint64Array.of(0n, 99n),
        bits: Uint32Array.of(5),
      },
      initialised: ["sums", "extremes", "flags", "greatest", "bits"],
      groups: 3,
      threads: 40,
    });
    expect(reports).toEqual([]);
    expect(buffers).toEqual({
      sums: Float32Array.of((0.5 * 119 * 120) / 2, -120, 240),
      extremes: Int32Array.of(109, -10),
      flags: Uint8Array.of(1, 0),
      greatest: BigUint64Array.of(119n << 40n, 7n),
      bits: Uint32Array.of((5 ^ 0xfffffff0) >>> 0),
    });
  });

  test("positions in a grid of three dimensions, and constants of every type", async () => {
    const { buffers, reports } = await emulate({
      text: `${HEADER}kernel void f(device float* output [[buffer(0)]], constant ulong& a [[buffer(1)]], constant bool& b [[buffer(2)]],
    constant uint4& c [[buffer(3)]], constant int& d [[buffer(4)]], uint3 group [[threadgroup_position_in_grid]],
    uint3 groups [[threadgroups_per_grid]], uint tid [[thread_index_in_threadgroup]], uint3 grid [[threads_per_grid]]) {
  uint index = group.x + groups.x * (group.y + groups.y * group.z);
  output[index * 2 + tid] = float(a + ulong(c.w) + ulong(b)) + float(d) + float(index + grid.x);
}`,
      kernel: "f",
      buffers: { output: new Float32Array(48) },
      constants: { a: 7n, b: true, c: [1, 2, 3, 4], d: -2 },
      groups: [2, 3, 4],
      threads: 2,
    });
    expect(reports).toEqual([]);
    expect(Array.from(buffers.output as Float32Array)).toEqual(lanes(48).map((index) => 14 + (index >> 1)));
  });
});
