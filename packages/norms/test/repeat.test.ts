import { device } from "@metile/runtime";
import { dirtyMemory, runModule, withThreads } from "@metile/runtime/testing";
import { expect, it } from "vitest";
import { hashes } from "./repeat.mjs";

const first = hashes();

it("R29: the same bits in 20 runs, over memory left dirty", () => {
  expect(Object.keys(first)).toHaveLength(9);
  for (let run = 1; run < 20; run += 1) {
    if (run % 5 === 0) dirtyMemory();
    expect(hashes()).toEqual(first);
  }
});

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
