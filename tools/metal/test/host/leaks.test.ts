import { describe, expect, it } from "vitest";
import { hasStandin, onMetal, type StandinReport } from "../support/standin.js";

/** A report once all is done: Metal's thread lets go of a command buffer only after its handler has told of it. */
const settled = `
const settled = async () => {
  await metal.synchronize();
  await new Promise((resolve) => setTimeout(resolve, 50));
  return standin.report();
};`;

describe.skipIf(!hasStandin)("what Metal's objects cost", () => {
  it("10,000 launches leave no object, pool entry, block or byte behind", { timeout: 120_000 }, async () => {
    const seen = await onMetal<{ before: StandinReport; after: StandinReport; live: number }>(`${settled}
      const source = tensor(Float32Array.from({ length: 64 }, (_, index) => index));
      const round = async () => {
        for (let index = 0; index < 1000; index += 1) source.cast("float16").dispose();
        await metal.synchronize();
      };
      await round();
      const before = await settled();
      for (let index = 0; index < 10; index += 1) await round();
      print({ before, after: await settled(), live: metal.memory.storages });`);
    expect(seen.after.dispatches - seen.before.dispatches).toBe(10_000);
    expect(seen.after.liveObjects).toBe(seen.before.liveObjects);
    expect(seen.after.live).toEqual(seen.before.live);
    expect([seen.after.liveBlocks, seen.after.poolLeaks, seen.after.openCommandBuffers]).toEqual([0, 0, 0]);
    expect(seen.after.liveBytes).toBe(seen.before.liveBytes);
    expect(seen.live).toBe(1);
  });

  it("command buffers that fail leave nothing behind either", { timeout: 60_000 }, async () => {
    const seen = await onMetal<{ before: StandinReport; after: StandinReport; failed: number }>(`${settled}
      const source = tensor([1, 2, 3]);
      let failed = 0;
      const round = async () => {
        standin.failNext(3);
        const bad = source.cast("float16");
        if (await failure(() => bad.data())) failed += 1;
        bad.dispose();
        const fine = source.cast("float16");
        await fine.data();
        fine.dispose();
        await metal.synchronize();
      };
      await round();
      const before = await settled();
      for (let index = 0; index < 20; index += 1) await round();
      print({ before, after: await settled(), failed });`);
    expect(seen.failed).toBe(21);
    expect(seen.after.poolLeaks).toBe(0);
    expect(seen.after.liveObjects).toBe(seen.before.liveObjects);
    expect(seen.after.live).toEqual(seen.before.live);
    expect(seen.after.liveBlocks).toBe(0);
  });

  it("cached buffers go back to the system by trim, used ones do not", async () => {
    const seen = await onMetal<{ bytes: number[]; value: number }>(`
      const kept = tensor(new Float32Array(2 ** 20).fill(3));
      const bytes = [standin.report().liveBytes];
      for (let index = 0; index < 4; index += 1) zeros([2 ** 21]).dispose();
      bytes.push(standin.report().liveBytes);
      metal.trim();
      bytes.push(standin.report().liveBytes);
      print({ bytes, value: kept.slice([0], [1]).dataSync()[0] });`);
    expect(seen.bytes[1]).toBeGreaterThan(seen.bytes[0] as number);
    expect(seen.bytes[2]).toBeLessThan(seen.bytes[1] as number);
    expect(seen.value).toBe(3);
  });

  it("nothing is destroyed at the end of the process, with work in flight", async () => {
    const seen = await onMetal<number>(
      `
      const source = tensor(new Float32Array(4096).fill(1));
      for (let index = 0; index < 200; index += 1) source.cast("float16");
      void source.cast("int32").data();
      print(1);
      process.exit(0);`,
      { delayMicroseconds: 20_000 },
    );
    expect(seen).toBe(1);
  });
});
