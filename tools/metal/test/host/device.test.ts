import { describe, expect, it } from "vitest";
import { evaluate, failingOnMetal, hasStandin, metalEnvironment, onMetal } from "../support/standin.js";

describe.skipIf(process.platform === "darwin")("where there is no Metal", () => {
  it("asking for it says why it is not there", async () => {
    const seen = await evaluate<{ name: string; message: string }>(`
      import { device } from "@metile/runtime";
      try { device("metal"); } catch ({ name, message }) { console.log(JSON.stringify({ name, message })); }`);
    expect(seen.name).toBe("DeviceError");
    expect(seen.message).toContain("Metal is part of macOS");
  });
});

describe.skipIf(!hasStandin)("finding the device", () => {
  it("works by either call, and says so where neither finds one", async () => {
    for (const devices of ["both", "list", "default"] as const)
      expect(await onMetal<number>(`print(tensor([2]).cast("float16").dataSync()[0]);`, { devices })).toBe(2);
    const { stderr } = await failingOnMetal("", { devices: "none" });
    expect(stderr).toContain("Metal has no device here");
  });

  it("a library that is not there is named", async () => {
    const seen = await evaluate<string>(
      `
      import { device } from "@metile/runtime";
      try { device("metal"); } catch ({ message }) { console.log(JSON.stringify(message)); }`,
      { ...metalEnvironment(), METILE_METAL_STANDIN: "/nowhere/standin.so" },
    );
    expect(seen).toContain("/nowhere/standin.so");
  });

  it("an older macOS runs all but bfloat16, which is refused at the call", async () => {
    const seen = await onMetal<{ level: string; bfloat: boolean; half: number; failed: { message: string } }>(
      `
      const source = tensor([1.5, 2]);
      const failed = await failure(() => source.cast("bfloat16"));
      print({ level: metal.info.level, bfloat: metal.info.bfloat, half: source.cast("float16").dataSync()[0], failed });`,
      { system: "13.0" },
    );
    expect(seen.level).toContain("Metal 3.0");
    expect(seen.bfloat).toBe(false);
    expect(seen.half).toBe(1.5);
    expect(seen.failed.message).toContain("bfloat");
  });

  it.each([
    ["14.0", "Metal 3.1"],
    ["15.1", "Metal 3.2"],
    ["26.0", "Metal 4.0"],
  ])("macOS %s compiles %s", async (system, language) => {
    const seen = await onMetal<{ level: string; value: number }>(
      `print({ level: metal.info.level, value: tensor([1.5]).cast("bfloat16").dataSync()[0] });`,
      { system },
    );
    expect(seen).toEqual({ level: expect.stringContaining(language), value: 1.5 });
  });

  it("all messages have the types of the tables", async () => {
    const seen = await onMetal<{ checked: number; differences: unknown[]; unreached: string[] }>(`
      const { createRequire } = await import("node:module");
      const runtime = createRequire(createRequire(process.cwd() + "/").resolve("@metile/runtime"));
      print(runtime("@metile/runtime-" + process.platform + "-" + process.arch).metalAbi());`);
    expect(seen.differences).toEqual([]);
    expect(seen.unreached).toEqual([]);
    expect(seen.checked).toBeGreaterThan(45);
  });

  it("workers share it, and one may be terminated in mid-flight", { timeout: 60_000 }, async () => {
    const seen = await onMetal<{ sums: number[]; mine: number; storages: number }>(
      `
      const { once } = await import("node:events");
      const { Worker } = await import("node:worker_threads");
      const worker = (text) => new Worker("import('@metile/runtime').then(async ({ device, tensor }) => {" + text + "})", { eval: true, execArgv: [] });
      const sums = await Promise.all([1, 2, 3, 4].map(async (factor) => {
        const each = worker("let sum = 0; for (let i = 0; i < 20; i++) sum += (await tensor([" + factor + "]).cast('float16').data())[0]; require('node:worker_threads').parentPort.postMessage(sum);");
        const ended = once(each, "exit"); // may come in one turn with the message
        const [sum] = await once(each, "message");
        await ended;
        return sum;
      }));
      for (let round = 0; round < 4; round += 1) {
        const each = worker("const x = tensor(new Float32Array(1000).fill(1)); require('node:worker_threads').parentPort.postMessage(0); for (;;) { for (let i = 0; i < 50; i++) void x.cast('float16').data(); await new Promise((resolve) => setTimeout(resolve, 1)); }");
        await once(each, "message");
        await new Promise((resolve) => setTimeout(resolve, 10 * round));
        await each.terminate();
      }
      print({ sums, mine: tensor([7]).cast("float16").dataSync()[0], storages: metal.memory.storages });`,
      { delayMicroseconds: 300 },
    );
    expect(seen.sums).toEqual([20, 40, 60, 80]);
    expect(seen.mine).toBe(7);
    expect(seen.storages).toBeLessThanOrEqual(2);
  });

  it("the event loop goes on while the GPU works", async () => {
    const seen = await onMetal<{ ticks: number; value: number }>(
      `
      const source = tensor([4]);
      source.cast("float16").dataSync();
      let ticks = 0;
      const timer = setInterval(() => { ticks += 1; }, 5);
      const [value] = await source.cast("float16").data();
      clearInterval(timer);
      print({ ticks, value });`,
      { delayMicroseconds: 200_000 },
    );
    expect(seen.value).toBe(4);
    expect(seen.ticks).toBeGreaterThan(10);
  });
});
