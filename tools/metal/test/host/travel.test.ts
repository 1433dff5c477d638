import { describe, expect, it } from "vitest";
import { hasStandin, onMetal } from "../support/standin.js";

/** A tensor whose command buffer failed, and commands of the addon on whole or half tensors. */
const lost = `
const native = metal.native;
const source = tensor([1, 2, 3, 4]);
const filled = () => tensor([5, 6, 7, 8]);
source.cast("float16").dataSync();
standin.failNext(3);
const bad = source.cast("int32").cast("float32");
const copy = (from, to, bytes = 16) => native.copy(from.storage.slot, 0, to.storage.slot, 0, bytes);
const outcome = async (made) => { const failed = await failure(() => made.data()); return failed ? failed.name : Array.from(made.dataSync()).join(); };
`;

describe.skipIf(!hasStandin)("the fault of a command buffer that failed", () => {
  it("is that of all copies, whole or in part, of copies of copies, and of launches on them", async () => {
    const seen = await onMetal<string[]>(`${lost}
      const before = await outcome(bad);
      const [whole, half, again] = [filled(), filled(), filled()];
      copy(bad, whole);
      copy(bad, half, 8);
      copy(half, again);
      const cast = again.cast("float16");
      print([before, await outcome(whole), await outcome(half), await outcome(again), await outcome(cast), await outcome(bad.clone()), await outcome(source)]);`);
    expect(seen).toEqual([...new Array(6).fill("FaultError"), "1,2,3,4"]);
  });

  it("travels the same way to what was queued before anybody knew", async () => {
    const seen = await onMetal<string[]>(
      `${lost}
      const [whole, half] = [filled(), filled()];
      copy(bad, whole);
      copy(bad, half, 8);
      const cast = half.cast("float16");
      await metal.synchronize();
      print([await outcome(bad), await outcome(whole), await outcome(half), await outcome(cast)]);`,
      { delayMicroseconds: 3000 },
    );
    expect(seen).toEqual(new Array(4).fill("FaultError"));
  });

  it("ends with what replaces all of a tensor, and not with what replaces a part", async () => {
    const seen = await onMetal<Record<string, string>>(`${lost}
      await outcome(bad);
      const spoilt = () => { const made = filled(); copy(bad, made); return made; };
      const healed = { copy: spoilt(), fill: spoilt(), write: spoilt(), partCopy: spoilt(), partFill: spoilt() };
      await metal.synchronize();
      copy(source, healed.copy);
      native.fill(healed.fill.storage.slot, 0, 16, 0);
      healed.write.write([9, 9, 9, 9]);
      copy(source, healed.partCopy, 8);
      native.fill(healed.partFill.storage.slot, 0, 8, 0);
      for (const name in healed) healed[name] = await outcome(healed[name]);
      print(healed);`);
    expect(seen).toEqual({
      copy: "1,2,3,4",
      fill: "0,0,0,0",
      write: "9,9,9,9",
      partCopy: "FaultError",
      partFill: "FaultError",
    });
  });
});
