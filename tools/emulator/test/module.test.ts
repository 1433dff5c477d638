import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findCompiler } from "@metile/compiler";
import { inlineIncludes, SourceLoader } from "@metile/msl";
import { describe, expect, test } from "vitest";
import { ACCESSES, DIVERGENCES, RACES, SIGNATURE } from "./faults.js";
import { HEADER, launchModule, type ModuleLaunch } from "./module-kit.js";

const PACKAGES = fileURLToPath(new URL("../../../packages", import.meta.url));
const modes = ["plain", "watched"] as const;
const numbers = (count: number) => Float32Array.from({ length: count }, (_, index) => index);

describe.runIf(process.platform === "linux").each(modes)("modules, %s", (mode) => {
  test.each([1, 31, 33, 96, 1024])("sums of %i threads by simdgroup, through threadgroup memory", async (threads) => {
    const text = `${HEADER}kernel void sums(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
    threadgroup float* scratch [[threadgroup(0)]], uint i [[thread_position_in_grid]], uint tid [[thread_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]]) {
  const float sum = simd_sum(x[i]);
  if (lane == 0) scratch[simdgroup] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float all = 0.0f;
  for (uint k = 0; k < simdgroups; ++k) all += scratch[k];
  y[i] = all;
}`;
    const buffers = { 0: numbers(2 * threads), 1: new Float32Array(2 * threads) };
    const launch = {
      text,
      kernel: "sums",
      threads: [threads, 1, 1],
      groups: [2, 1, 1],
      threadgroup: { 0: 128 },
    } as const;
    const outcome = await launchModule(mode, { ...launch, buffers });
    expect(outcome).toMatchObject({ answer: 0, message: "" });
    const total = (threads * (threads - 1)) / 2;
    const expected = numbers(2 * threads).map((index) => (index < threads ? total : total + threads * threads));
    expect(outcome.buffers[1]).toEqual(expected);
  });

  test("threads and threadgroups of three dimensions", async () => {
    const text = `${HEADER}kernel void f(device uint* y [[buffer(0)]], uint3 at [[thread_position_in_grid]], uint3 grid [[threads_per_grid]],
    ushort3 own [[thread_position_in_threadgroup]], ushort index [[thread_index_in_threadgroup]], uint3 group [[threadgroup_position_in_grid]]) {
  y[at.x + grid.x * (at.y + grid.y * at.z)] = own.x + 10 * own.y + 100 * own.z + 1000 * index + 100000 * (group.x + group.y + group.z);
}`;
    const y = new Uint32Array(4 * 6 * 5);
    const launch: ModuleLaunch = { text, kernel: "f", threads: [2, 3, 5], groups: [2, 2, 1], buffers: { 0: y } };
    const outcome = await launchModule(mode, launch);
    expect(outcome).toMatchObject({ answer: 0, message: "" });
    const expected = Uint32Array.from(y, (_, index) => {
      const [x, row, z] = [index % 4, Math.floor(index / 4) % 6, Math.floor(index / 24)];
      const own = [x % 2, row % 3, z];
      const group = Math.floor(x / 2) + Math.floor(row / 3);
      const within = (own[0] as number) + 2 * ((own[1] as number) + 3 * z);
      return (own[0] as number) + 10 * (own[1] as number) + 100 * z + 1000 * within + 100000 * group;
    });
    expect(outcome.buffers[0]).toEqual(expected);
  });

  test("two kernels and their variables; buffers that lie in one another", async () => {
    const text = `${HEADER}kernel void first(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  threadgroup float turn[32];
  turn[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  y[i] = turn[31 - i];
}
kernel void second(device float* y [[buffer(3)]], constant float& factor [[buffer(30)]], uint i [[thread_position_in_grid]]) { y[i] *= factor; }`;
    const threads = [32, 1, 1] as const;
    const shared = { 0: numbers(40), 1: { alias: 0, offset: 32 } };
    const shifted = await launchModule(mode, { text, kernel: "first", threads, groups: [1, 1, 1], buffers: shared });
    expect(shifted).toMatchObject({ answer: 0, message: "" });
    expect(shifted.buffers[0]?.slice(6, 10)).toEqual(Float32Array.of(6, 7, 31, 30));
    const buffers = { 3: numbers(32), 30: Float32Array.of(3) };
    const scaled = await launchModule(mode, { text, kernel: "second", threads, groups: [1, 1, 1], buffers });
    expect(scaled.buffers[3]).toEqual(numbers(32).map((value) => value * 3));
  });

  test("bytes of a constant that lie where its type may not", async () => {
    const text = `${HEADER}kernel void f(device ulong* y [[buffer(0)]], constant ulong4& sizes [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = sizes[i] + sizes.w;
}`;
    const bytes = BigUint64Array.of(0n, 0n, 1n, 2n, 3n, 4n, 0n, 0n);
    const buffers = { 0: new BigUint64Array(4), 5: bytes, 1: { alias: 5, offset: 16 } };
    const outcome = await launchModule(mode, { text, kernel: "f", threads: [4, 1, 1], groups: [1, 1, 1], buffers });
    expect(outcome).toMatchObject({ answer: 0, message: "" });
    expect(outcome.buffers[0]).toEqual(BigUint64Array.of(5n, 6n, 7n, 8n));
  });

  test("macros that are called as what the machine is made of", async () => {
    const names = ["T", "D", "start", "bytes", "lanes", "value", "launch", "x", "METILE", "begin", "module"];
    const text = `${HEADER}kernel void f(device T* output [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  output[i] = simd_sum(${names.slice(1).join(" + ")});
}`;
    const macros = { ...Object.fromEntries(names.map((name) => [name, "0.5f"])), T: "float" };
    const buffers = { 0: new Float32Array(32) };
    const launch = { text, macros, kernel: "f", threads: [32, 1, 1], groups: [1, 1, 1], buffers } as const;
    const outcome = await launchModule(mode, launch);
    expect(outcome.buffers[0]?.[0]).toBe(160);
  });

  test("a system compiler does as well", async () => {
    const text = `${HEADER}kernel void f(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup float own[40];
  own[i] = simd_max(y[i]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = fma(own[39 - i], 2.0f, sqrt(16.0f));
}`;
    const launch = { text, kernel: "f", threads: [40, 1, 1], groups: [1, 1, 1], buffers: { 0: numbers(40) } } as const;
    const outcome = await launchModule(mode, { ...launch, compiler: findCompiler({ prefer: "system" }) });
    expect(outcome).toMatchObject({ answer: 0, message: "" });
    expect(outcome.buffers[0]).toEqual(numbers(40).map((index) => (index < 8 ? 82 : 66)));
  });

  test("a kernel that fails is told, and the process goes on", async () => {
    const text = `${HEADER}kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = 1.0f;
  y[i] = x[i];
}`;
    const launch = { text, kernel: "f", threads: [40, 1, 1], groups: [1, 1, 1], repeats: 3 } as const;
    const outcome = await launchModule(mode, { ...launch, buffers: { 1: new Float32Array(40) } });
    expect(outcome.answer).toBe(1);
    expect(outcome.message).toMatch(/^(crash|out-of-bounds): kernel\.metal:3: .*kernel f, threadgroup 0, thread 0$/);
    const wrong = { ...launch, threads: [1025, 1, 1], buffers: {} } as const;
    expect((await launchModule(mode, wrong)).message).toContain("1025 threads");
  });

  test("a barrier that not all threads reach", async () => {
    const text = `${HEADER}kernel void f(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  y[i] = 1.0f;
  if (i < 32) threadgroup_barrier(mem_flags::mem_threadgroup);
}`;
    const buffers = { 0: new Float32Array(64) };
    const outcome = await launchModule(mode, { text, kernel: "f", threads: [64, 1, 1], groups: [1, 1, 1], buffers });
    expect(outcome.message).toMatch(/^barrier-divergence: kernel\.metal:3: 32 of 64 threads are here/);
  });

  test("RMSNorm of the family, many times: right, nothing alleged, nothing kept", async () => {
    const [rows, width] = [4, 192];
    const loader = new SourceLoader(join(PACKAGES, "runtime/msl"));
    const source = loader.load(join(PACKAGES, "norms/src/rms-norm/rms_norm.metal"), "src/rms-norm/rms_norm.metal");
    const types = { STORAGE: "float", PARAMETER: "float", COTANGENT: "float", GRADIENT: "float" };
    const rowMacros = { ROW_PACK: "2", ROW_PACKETS: "1", ROW_WIDE: "0", ROW_KEEP: "1", ROW_KEEP_WEIGHT: "1" };
    const x = Float32Array.from({ length: rows * width }, (_, index) => Math.sin(index));
    const word = (value: number) => Uint32Array.of(value);
    const outcome = await launchModule(mode, {
      text: inlineIncludes(source, loader),
      macros: { ...types, ...rowMacros, ROW_THREADS: "96", ROW_PREFETCH: "1" },
      kernel: "rms_norm_forward",
      threads: [96, 1, 1],
      groups: [3, 1, 1],
      threadgroup: { 0: 512 },
      repeats: mode === "plain" ? 5000 : 200,
      buffers: {
        ...{ 0: x, 2: new Float32Array(rows * width), 3: new Float32Array(rows), 4: word(rows), 5: word(width) },
        ...{
          6: BigUint64Array.of(BigInt(width)),
          7: Float32Array.of(0),
          8: Float32Array.of(0),
          9: word(0),
          10: word(0),
        },
      },
    });
    expect(outcome).toMatchObject({ answer: 0, message: "" });
    expect(outcome.grown).toBeLessThan(256);
    const squares = Array.from(x.subarray(width, 2 * width)).reduce((sum, value) => sum + value * value, 0);
    expect(outcome.buffers[3]?.[1]).toBeCloseTo(1 / Math.sqrt(squares / width), 5);
  });
});

// what only a program knows: that outputs hold nothing before the launch, and seconds of its own
const faults = [...RACES, ...DIVERGENCES, ...ACCESSES].filter(
  ({ kind }) => kind !== "uninitialised-output" && kind !== "timeout",
);

describe.runIf(process.platform === "linux")("planted faults, watched within the process", () => {
  test.concurrent.each(faults)("$kind: $title", async ({ kind, body, options }) => {
    const threads = options?.threads ?? 64;
    const text = `${HEADER}${SIGNATURE} {${body}\n}\n`;
    const input = numbers(2 * threads);
    const outcome = await launchModule("watched", {
      text,
      kernel: "fault",
      threads: [threads, 1, 1],
      groups: [2, 1, 1],
      threadgroup: { 0: 4 * threads },
      buffers: { 0: input, 1: new Float32Array(2 * threads), 2: new Uint32Array(1), 3: Uint32Array.of(2 * threads) },
    });
    const line = text.split("\n").findIndex((content) => content.includes("// FAULT")) - 2;
    expect(outcome.message).toContain(`${kind}: kernel.metal:${line}: `);
  });
});
