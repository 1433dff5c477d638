import { describe, expect, test } from "vitest";
import { emulate, type TypedArray } from "../src/index.js";
import { textOf } from "./kit.js";

const copies = textOf("runtime/src/copy/strided_copy.metal");
const sums = textOf("runtime/src/reduce/column_sums.metal");

const all = process.env.METILE_EMULATE === "all";

/** A copy of a matrix of 7 by 9 into its transpose. */
async function turned(threads: number, from: [string, TypedArray], to: [string, TypedArray], groups = 2) {
  const { buffers, reports } = await emulate({
    text: copies,
    file: "strided_copy.metal",
    kernel: "strided_copy",
    macros: { FROM: from[0], TO: to[0] },
    buffers: { source: from[1], target: to[1] },
    constants: {
      count: 63,
      ...{ sizes_outer: [1, 1, 1, 1], sizes_inner: [1, 1, 9, 7] },
      ...{ source_strides_outer: [0, 0, 0, 0], source_strides_inner: [0, 0, 1, 9] },
      ...{ target_strides_outer: [0, 0, 0, 0], target_strides_inner: [0, 0, 7, 1] },
    },
    groups,
    threads,
  });
  expect(reports).toEqual([]);
  return Array.from(buffers.target as Float32Array);
}

describe.runIf(process.platform === "linux")("kernels of the runtime on GPUs", () => {
  // the last simdgroup of most of these is partial
  test.each(all ? [1, 31, 32, 40, 63, 96, 250, 1024] : [1, 40, 96])("strided_copy by %i threads", async (threads) => {
    const numbers = Array.from({ length: 63 }, (_, index) => index - 20);
    const expected = numbers.map((_, at) => numbers[(at % 7) * 9 + Math.floor(at / 7)]);
    const floats: [string, TypedArray] = ["float", Float32Array.from(numbers)];
    expect(await turned(threads, floats, ["float", new Float32Array(63)])).toEqual(expected);
    expect(await turned(threads, floats, ["int", new Int32Array(63)], 1)).toEqual(expected);
    const truth = await turned(threads, ["int", Int32Array.from(numbers)], ["bool", new Uint8Array(63)], 3);
    expect(truth).toEqual(expected.map((value) => (value === 0 ? 0 : 1)));
  });

  test.each(all ? [32, 64, 320, 1024] : [64, 320])("column_sums by %i threads", async (threads) => {
    const [parts, width] = [37, 45];
    const { buffers, reports } = await emulate({
      text: sums,
      file: "column_sums.metal",
      kernel: "column_sums",
      macros: { ROW_PACK: 1, ROW_PACKETS: 1, ROW_WIDE: 1, ROW_KEEP: 0, ROW_KEEP_WEIGHT: 0, ROW_PREFETCH: 0 },
      buffers: {
        parts: Float32Array.from({ length: 3 + parts * 50 }, (_, index) => index % 11),
        total: new Float32Array(width),
      },
      constants: { part_count: parts, width, stride: 50, offset: 3 },
      groups: 2,
      threads,
    });
    expect(reports).toEqual([]);
    const expected = Float32Array.from({ length: width }, (_, column) => {
      let sum = 0;
      for (let part = 0; part < parts; part += 1) sum += (3 + part * 50 + column) % 11;
      return sum;
    });
    expect(buffers.total).toEqual(expected);
  });
});
