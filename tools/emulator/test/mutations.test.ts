import { describe, expect, test } from "vitest";
import { type EmulateOptions, emulate, type Report } from "../src/index.js";
import { changed, changedHeaders, lineOf, textOf } from "./kit.js";

const rmsNorm = textOf("norms/src/rms-norm/rms_norm.metal");
const columnSums = textOf("runtime/src/reduce/column_sums.metal");

/** RMSNorm forward over 3 rows of 130 columns by two simdgroups, two rows in the first threadgroup. */
function forward(changes: Partial<EmulateOptions> = {}): Promise<Report[]> {
  const rows = 3;
  const width = 130;
  const macros = { STORAGE: "float", PARAMETER: "float", ROW_PACK: 1, ROW_PACKETS: 1, ROW_WIDE: 1, ROW_KEEP: 0 };
  return reportsOf({
    text: rmsNorm,
    file: "rms_norm.metal",
    kernel: "rms_norm_forward",
    buffers: {
      source: new Float32Array(rows * width).fill(1),
      weight: new Float32Array(width).fill(1),
      output: new Float32Array(rows * width),
      rstd: new Float32Array(rows),
    },
    constants: { row_count: rows, width, source_stride: width, epsilon: 1e-5, offset: 0, casting: 0 },
    threadgroup: { scratch: 512 },
    groups: 2,
    threads: 64,
    ...changes,
    macros: { ...macros, ROW_KEEP_WEIGHT: 0, ROW_PREFETCH: 0, ...changes.macros },
  });
}

/** Column sums over 21 parts of 40 columns: two simdgroups take four at a time twice, and what is left one by one. */
function sums(changes: Partial<EmulateOptions> = {}): Promise<Report[]> {
  const macros = { STORAGE: "float", ROW_PACK: 1, ROW_PACKETS: 1, ROW_WIDE: 1, ROW_KEEP: 0 };
  return reportsOf({
    text: columnSums,
    file: "column_sums.metal",
    kernel: "column_sums",
    buffers: { parts: new Float32Array(840).fill(1), total: new Float32Array(40) },
    constants: { part_count: 21, width: 40, stride: 40, offset: 0 },
    groups: 2,
    threads: 64,
    ...changes,
    macros: { ...macros, ROW_KEEP_WEIGHT: 0, ROW_PREFETCH: 0, ...changes.macros },
  });
}

async function reportsOf(options: EmulateOptions): Promise<Report[]> {
  return [...(await emulate(options)).reports];
}

function placesOf(reports: readonly Report[]): string[] {
  return reports.map(({ kind, line }) => `${kind}:${line}`);
}

const sumLine = lineOf(rmsNorm, "team.sum(squares)");

describe.runIf(process.platform === "linux")("mistakes in the row layer, at the kernel's own line", () => {
  test("unchanged: no report", async () => {
    expect(await forward()).toEqual([]);
    expect(await sums()).toEqual([]);
  });

  test("no barrier in the reduction", async () => {
    const barrier = "    threadgroup_barrier(mem_flags::mem_threadgroup);\n    offset";
    const headers = changedHeaders("reduce_gpu.h", barrier, "    offset");
    expect(placesOf(await forward({ headers }))).toContain(`race:${sumLine}`);
  });

  test("a barrier for device memory in the reduction", async () => {
    const headers = changedHeaders("reduce_gpu.h", "mem_flags::mem_threadgroup", "mem_flags::mem_device");
    expect(placesOf(await forward({ headers }))).toContain(`race:${sumLine}`);
  });

  test("reductions that do not take turns with the halves of scratch", async () => {
    const headers = changedHeaders("reduce_gpu.h", "offset ^= 64;", "");
    const reports = await forward({ headers });
    expect(placesOf(reports)).toContain(`race:${sumLine}`);
    expect(reports[0]?.calls[0]).toMatch(/^metile\/reduce_gpu\.h:\d+$/);
  });

  test("one simdgroup that skips the barrier", async () => {
    const barrier = "    threadgroup_barrier(mem_flags::mem_threadgroup);\n    offset";
    const headers = changedHeaders("reduce_gpu.h", barrier, `    if (simdgroup == 0)${barrier}`);
    expect(placesOf(await forward({ headers }))).toContain(`barrier-divergence:${sumLine}`);
  });

  test("a reduction within a branch of some lanes", async () => {
    const headers = changedHeaders("reduce_gpu.h", "= simd_sum(own)", "= lane < 16 ? simd_sum(own) : own");
    expect(placesOf(await forward({ headers }))).toContain(`simd-divergence:${sumLine}`);
  });

  test("every simdgroup's share in one place", async () => {
    const headers = changedHeaders("reduce_gpu.h", "shares[simdgroup] = a;", "shares[0] = a;");
    expect(placesOf(await forward({ headers }))).toContain(`race:${sumLine}`);
  });

  test("more threads than ROW_THREADS says", async () => {
    const reports = await forward({ threads: 96, macros: { ROW_THREADS: 64 } });
    expect(reports.map(({ kind }) => kind)).toContain("race");
  });

  test("a tile that is said to equal the width and does not", async () => {
    const reports = await forward({ macros: { ROW_EXACT: 1 } });
    expect(reports.map(({ kind }) => kind)).toContain("out-of-bounds");
  });

  test("packets that do not divide the width", async () => {
    const reports = await forward({ macros: { ROW_PACK: 4 } });
    const lines = rmsNorm
      .split("\n")
      .flatMap((line, index) => (line.includes("y.set(i, x[i] * scale") ? [index + 1] : []));
    expect(placesOf(reports)).toContain(`out-of-bounds:${lines[0]}`);
    expect(placesOf(reports)).toContain(`race-between-threadgroups:${lines[0]}`);
  });

  test("rows that two threadgroups both take", async () => {
    const headers = changedHeaders("columns_gpu.h", "first(group)", "first(0)");
    const reports = await forward({ headers });
    expect(placesOf(reports)).toContain(`race-between-threadgroups:${lineOf(rmsNorm, "if (tid == 0) rstd[row]")}`);
  });

  test("rows that no threadgroup takes", async () => {
    const headers = changedHeaders("columns_gpu.h", "end(count_)", "end(count_ - 1)");
    expect(placesOf(await forward({ headers }))).toEqual([
      `unwritten-output:${lineOf(rmsNorm, "void rms_norm_forward")}`,
    ]);
  });

  test("scratch of less than 128 floats", async () => {
    expect(placesOf(await forward({ threadgroup: { scratch: 128 } }))).toContain(`out-of-bounds:${sumLine}`);
  });
});

describe.runIf(process.platform === "linux")("mistakes in column_sums", () => {
  test("no barrier", async () => {
    const text = changed(columnSums, "  threadgroup_barrier(mem_flags::mem_threadgroup);\n", "\n");
    // the first simdgroup runs ahead: it reads what the second has yet to write
    const reader = lineOf(text, "sum += sums[i][lane]");
    const writer = lineOf(text, "sums[simdgroup][lane] = sum");
    const reports = await sums({ text });
    expect(placesOf(reports)).toEqual([`uninitialised-threadgroup:${reader}`, `race:${writer}`]);
    expect(reports[1]?.message).toContain(`, at column_sums.metal:${reader}`);
  });

  test("columns past the width", async () => {
    const text = changed(columnSums, "simdgroup == 0 && column < width", "simdgroup == 0");
    expect(placesOf(await sums({ text }))).toContain(`out-of-bounds:${lineOf(text, "total[column] = STORAGE")}`);
  });

  test("a table with too few rows", async () => {
    const text = changed(columnSums, "sums[32][33]", "sums[1][33]");
    const reports = placesOf(await sums({ text }));
    expect(reports).toContain(`index-out-of-bounds:${lineOf(text, "sums[simdgroup][lane] = sum")}`);
  });

  test("rows of the table that no simdgroup wrote", async () => {
    const text = changed(columnSums, "i < step; ++i) sum", "i < 3; ++i) sum");
    expect(placesOf(await sums({ text }))).toContain(
      `uninitialised-threadgroup:${lineOf(text, "sum += sums[i][lane]")}`,
    );
  });

  test("a part past the last", async () => {
    const text = changed(columnSums, "part < part_count; part += step", "part <= part_count; part += step");
    expect(placesOf(await sums({ text }))).toContain(`out-of-bounds:${lineOf(text, "sum += first[part * stride]")}`);
  });

  test("four parts where three are left", async () => {
    const text = changed(columnSums, "part + 3 * step < part_count", "part + 2 * step < part_count");
    expect(placesOf(await sums({ text }))).toContain(`out-of-bounds:${lineOf(text, "d = first[")}`);
  });
});
