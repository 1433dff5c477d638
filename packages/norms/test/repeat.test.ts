import { device } from "@metile/runtime";
import { dirtyMemory, isSmallRun, runModule, withThreads } from "@metile/runtime/testing";
import { describe, expect, it } from "vitest";
import { hashes } from "./repeat.mjs";

const first = hashes();
const runs = isSmallRun() ? 3 : 20;
const onCpu = device().name === "cpu";

it(`R29: the same bits in ${runs} runs, over memory left dirty`, () => {
  expect(Object.keys(first)).toHaveLength(9);
  for (let run = 1; run < runs; run += 1) {
    if (run % 5 === 1) dirtyMemory();
    expect(hashes()).toEqual(first);
  }
});

describe.runIf(onCpu)("threads of the processor (CPU only)", () => {
  it.each([1, 2, 3, 5])("the same bits with %d threads", (threads) => {
    withThreads(threads, () => {
      expect(device().threads).toBe(threads);
      for (let run = 0; run < 3; run += 1) expect(hashes()).toEqual(first);
    });
  });

  it.each(["1", "2", "3"])("R29: the same bits in a new process, with %s threads", (threads) => {
    const module = new URL("./repeat.mjs", import.meta.url);
    expect(JSON.parse(runModule(module, ["print"], { METILE_THREADS: threads }))).toEqual(first);
  });
});

it("R29: the same bits in a new process", () => {
  const module = new URL("./repeat.mjs", import.meta.url);
  expect(JSON.parse(runModule(module, ["print"]))).toEqual(first);
});
