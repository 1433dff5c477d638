import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { device } from "./harness.js";

const MiB = 2 ** 20;

describe("V8 hears of native memory", () => {
  /** Major collections while `step` is called in 200 turns of the event loop. */
  async function collections(step: () => void): Promise<number> {
    let major = 0;
    const count = (entries: PerformanceEntry[]) => {
      for (const entry of entries) {
        const { kind } = (entry as unknown as { detail: { kind: number } }).detail;
        if (kind & (constants.NODE_PERFORMANCE_GC_MAJOR | constants.NODE_PERFORMANCE_GC_INCREMENTAL)) major += 1;
      }
    };
    const observer = new PerformanceObserver((list) => count(list.getEntries()));
    observer.observe({ entryTypes: ["gc"] });
    for (let turn = 0; turn < 200; turn += 1) {
      step();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    count(observer.takeRecords());
    observer.disconnect();
    return major;
  }

  const held: number[] = [];

  function letGo(collected: boolean): void {
    for (const slot of held.splice(0)) device.release(slot, collected);
  }

  test("and collects garbage when much of it is held, each time anew when it was garbage", async () => {
    const nothing = await collections(() => held.push(device.allocate(1, false)));
    letGo(true);
    for (let round = 0; round < 3; round += 1) {
      expect(await collections(() => held.push(device.allocate(16 * MiB, false)))).toBeGreaterThan(nothing + 3);
      letGo(true);
    }
    device.trim();
  });

  test("and does not collect for what comes and goes", async () => {
    const seconds = performance.now() / 1000;
    const loop = await collections(() => device.release(device.allocate(96 * MiB, false)));
    expect(loop).toBeLessThan(5 + 2 * (performance.now() / 1000 - seconds));
  });
});
