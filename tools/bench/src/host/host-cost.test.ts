import { device } from "@metile/runtime";
import { expect, it } from "vitest";
import { operations } from "../operations/index.js";
import { hostCosts } from "./host-cost.js";

it("times every operation's calls and leaves no memory behind", async () => {
  const before = device().memory.live;
  const costs = await hostCosts([...operations.values()], device(), { iterations: 5 });
  expect(costs.map(({ operation, what }) => `${operation}: ${what}`)).toEqual(
    [...operations.keys()].flatMap((name) => [
      `${name}: enqueue forward`,
      `${name}: enqueue backward`,
      `${name}: forward + backward + dataSync`,
    ]),
  );
  for (const { microseconds } of costs) {
    expect(microseconds.samples).toBe(5);
    expect(microseconds.least).toBeGreaterThan(0);
  }
  expect(device().memory.live).toBe(before);
});

it("measures nothing once it is stopped", async () => {
  const signal = AbortSignal.abort();
  expect(await hostCosts([...operations.values()], device(), { iterations: 5, signal })).toEqual([]);
});
