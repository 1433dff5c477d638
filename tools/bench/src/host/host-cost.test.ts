import { device } from "@metile/runtime";
import { expect, it } from "vitest";
import { operations } from "../operations/index.js";
import { hostCosts, peerHostCosts } from "./host-cost.js";

it("times every operation's calls and leaves no memory behind", async () => {
  const before = device().memory.live;
  const costs = await hostCosts([...operations.values()], device(), { iterations: 5 });
  expect(costs.map(({ operation, what }) => `${operation}: ${what}`)).toEqual(
    [...operations.keys()].flatMap((name) => [
      `${name}: enqueue forward`,
      `${name}: enqueue backward`,
      `${name}: forward + backward + dataSync`,
      `${name}: enqueue forward + backward`,
    ]),
  );
  for (const { microseconds, what } of costs) {
    expect(microseconds.samples).toBe(what === "enqueue forward + backward" ? 1 : 5);
    expect(microseconds.least).toBeGreaterThan(0);
  }
  expect(device().memory.live).toBe(before);
});

it("measures nothing once it is stopped", async () => {
  const signal = AbortSignal.abort();
  expect(await hostCosts([...operations.values()], device(), { iterations: 5, signal })).toEqual([]);
});

it("asks the peers that can tell, and goes on after one that fails", async () => {
  const base = { start: async () => "1", prepare: () => Promise.reject(new Error("not asked")), stop: async () => {} };
  const peers = [
    { ...base, name: "silent" },
    { ...base, name: "broken", hostCost: () => Promise.reject(new Error("no half")) },
    { ...base, name: "eager", hostCost: async () => [3, 1, 2] },
  ];
  const failures: string[] = [];
  const { signal } = new AbortController();
  const costs = await peerHostCosts(["rmsNorm"], peers, "bfloat16", signal, (peer, why) =>
    failures.push(`${peer}: ${why}`),
  );
  expect(costs).toMatchObject([{ operation: "rmsNorm", peer: "eager", microseconds: { median: 2 } }]);
  expect(failures).toEqual(["broken: rmsNorm: no half"]);
});
