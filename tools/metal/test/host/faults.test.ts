import { describe, expect, it } from "vitest";
import { hasStandin, onMetal } from "../support/standin.js";

interface Failed {
  readonly name: string;
  readonly message: string;
}

describe.skipIf(!hasStandin)("a command buffer that fails", () => {
  it.each([
    { code: 2, words: "ran too long" },
    { code: 3, words: "touched memory that is not its own" },
    { code: 8, words: "no memory left" },
    { code: 11, words: "was removed" },
    { code: 12, words: "more stack" },
  ])("code $code rejects what depends on it, and fresh work succeeds", async ({ code, words }) => {
    const seen = await onMetal<{
      before: number;
      failed: Failed;
      later: Failed;
      sync: Failed;
      fresh: number[];
      kept: number[];
    }>(`
      const source = tensor([1, 2, 3]);
      const good = source.cast("float16");
      const before = (await good.data())[2];
      standin.failNext(${code});
      const bad = source.cast("bfloat16");
      const failed = await failure(() => bad.data());
      const later = await failure(() => bad.cast("float32").data());
      const sync = await failure(() => bad.dataSync());
      const fresh = [];
      for (let index = 0; index < 3; index += 1) fresh.push((await source.cast("int32").data())[index]);
      print({ before, failed, later, sync, fresh, kept: Array.from(good.dataSync()) });`);
    expect(seen.before).toBe(3);
    for (const failed of [seen.failed, seen.later, seen.sync]) {
      expect(failed.name).toBe("FaultError");
      expect(failed.message).toContain(words);
      expect(failed.message).toContain(`Metal error ${code}`);
    }
    expect(seen.fresh).toEqual([1, 2, 3]);
    expect(seen.kept).toEqual([1, 2, 3]);
  });

  it("takes with it what was queued behind it, and no more", { timeout: 60_000 }, async () => {
    const seen = await onMetal<{ outcomes: string[]; fresh: number }>(
      `
      const source = tensor(new Float32Array(1000).fill(5));
      source.cast("float16").dispose();
      await metal.synchronize();
      standin.failNext(3);
      const pending = Array.from({ length: 300 }, () => source.cast("float16").data().then((data) => data[999] === 5 ? "right" : "wrong", (error) => error.name));
      const outcomes = await Promise.all(pending);
      print({ outcomes, fresh: (await source.cast("float16").data())[0] });`,
      { delayMicroseconds: 500 },
    );
    expect(seen.outcomes).toContain("FaultError");
    expect(seen.outcomes).not.toContain("wrong");
    expect(new Set(seen.outcomes).size).toBeLessThanOrEqual(2);
    expect(seen.fresh).toBe(5);
  });

  it("fails reads, copies, fills and writes that were in it", async () => {
    const seen = await onMetal<Failed[]>(`
      const source = tensor([1, 2, 3, 4]);
      standin.failNext(3);
      const copy = source.clone();
      print([await failure(() => copy.data()), await failure(() => copy.slice([1], [2]).data())]);`);
    for (const failed of seen) expect(failed.name).toBe("FaultError");
  });

  it("status words of a launch without threadgroups are not those of an earlier one", async () => {
    const seen = await onMetal<{ failed: string | undefined; empty: number }>(`
      const { check } = compileKernels("#include <metal_stdlib>\\nkernel void check(device float* target [[buffer(0)]], device uint* status [[buffer(1)]]) { target[0] = 1.0f; status[0] = 3; }");
      const target = tensor([0]);
      const empty = tensor([4]);
      check({ target }, {}, { groups: 1, work: 1 });
      const failed = await failure(() => target.data());
      for (let index = 0; index < 256; index += 1) check({ target: empty }, {}, { groups: 0, work: 1 });
      print({ failed: failed?.name, empty: empty.dataSync()[0] });`);
    expect(seen).toEqual({ failed: "FaultError", empty: 4 });
  });

  it("does not reach tensors that were written anew", async () => {
    const seen = await onMetal<number[]>(`
      const source = tensor([1, 2]);
      standin.failNext(3);
      const bad = source.cast("float16");
      await failure(() => bad.data());
      bad.write([7, 8]);
      print(Array.from(await bad.data()));`);
    expect(seen).toEqual([7, 8]);
  });

  it("a failed launch of the program's own making fails the same way", async () => {
    const seen = await onMetal<{ failed: Failed; fresh: number }>(`
      const source = tensor([1, 2]);
      metal.native.injectFault("lost");
      const bad = source.cast("float16");
      const failed = await failure(() => bad.cast("float32").data());
      print({ failed, fresh: (await source.cast("float16").data())[1] });`);
    expect(seen.failed).toMatchObject({ name: "FaultError", message: expect.stringContaining("lost") });
    expect(seen.fresh).toBe(2);
  });
});
