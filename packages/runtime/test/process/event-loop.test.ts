import { describe, expect, it } from "vitest";
import { evaluate, type Outcome, runModule } from "../support/process.js";

/**
 * Awaited operations for as long as a test can want them, each some milliseconds of work; not for ever, since a process
 * whose test was stopped would outlive it. "running" is printed when they are under way.
 */
const endless = `
const goesOn = () => performance.now() < 20_000;
import { device, zeros } from "@metile/runtime";
const source = zeros([4000000]);
const step = async () => {
  const copy = source.cast("bfloat16");
  const back = copy.cast("float32");
  await back.slice([0], [1]).data();
  copy.dispose();
  back.dispose();
};
await step();
`;

/** Runs a module, sends it SIGINT once it has printed something, and tells how long it took to end. */
async function interrupted(source: string): Promise<Outcome & { milliseconds: number }> {
  let sent = 0;
  const outcome = await runModule(source, {}, (child) => {
    setTimeout(() => {
      sent = performance.now();
      child.kill("SIGINT");
    }, 100);
  });
  return { ...outcome, milliseconds: performance.now() - sent };
}

describe("R36: the event loop", () => {
  it("a 100 ms timer fires at least 5 times a second during awaited operations", async () => {
    const { ticks, seconds } = await evaluate<{ ticks: number; seconds: number }>(`${endless}
      let ticks = 0;
      const timer = setInterval(() => { ticks += 1; }, 100);
      const start = performance.now();
      while (performance.now() - start < 2000) await step();
      clearInterval(timer);
      console.log(JSON.stringify({ ticks, seconds: (performance.now() - start) / 1000 }));`);
    expect(ticks / seconds).toBeGreaterThanOrEqual(5);
  });

  it("turns while a long queue is worked off that was filled at one go", async () => {
    const { longest, all } = await evaluate<{ longest: number; all: number }>(`
      import { device, zeros } from "@metile/runtime";
      device().threads = 1;
      const source = zeros([16000000]);
      await source.cast("int32").data();
      const start = performance.now();
      for (let index = 0; index < 60; index += 1) source.cast("int32").dispose();
      let last = performance.now();
      let longest = 0;
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 5);
      await device().synchronize();
      clearInterval(timer);
      longest = Math.max(longest, performance.now() - last);
      console.log(JSON.stringify({ longest, all: performance.now() - start }));`);
    expect(all).toBeGreaterThan(200);
    expect(longest).toBeLessThan(all / 2);
  });

  it("SIGINT ends the process within a second", async () => {
    const { signal, milliseconds, stderr } = await interrupted(
      `${endless} console.log("running"); while (goesOn()) await step();`,
    );
    expect(signal).toBe("SIGINT");
    expect(milliseconds).toBeLessThan(1000);
    expect(stderr).toBe("");
  });

  it("SIGINT ends a process that only blocks, too", async () => {
    const { signal, milliseconds } = await interrupted(
      `${endless} console.log("running"); while (goesOn()) source.cast("bfloat16").dataSync();`,
    );
    expect(signal).toBe("SIGINT");
    expect(milliseconds).toBeLessThan(1000);
  });

  it("a SIGINT handler of the user's still runs, and the runtime installs none", async () => {
    const { code, stdout, milliseconds } = await interrupted(`
      const listeners = () => process.eventNames().map((name) => String(name) + process.listenerCount(name)).join();
      const before = listeners();
      const { zeros } = await import("@metile/runtime");
      const source = zeros([4000000]);
      await source.cast("bfloat16").data();
      console.log(listeners() === before);
      process.on("SIGINT", () => { console.log("mine"); process.exit(3); });
      while (performance.now() < 20_000) await source.cast("bfloat16").slice([0], [1]).data();`);
    expect(stdout).toBe("true\nmine\n");
    expect(code).toBe(3);
    expect(milliseconds).toBeLessThan(1000);
  });
});
