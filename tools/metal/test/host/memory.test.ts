import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasStandin, onMetal } from "../support/standin.js";

interface Failed {
  readonly name: string;
  readonly message: string;
}

describe.skipIf(!hasStandin)("memory of a GPU", () => {
  it("bytes of any size at any offset go there and back", { timeout: 60_000 }, async () => {
    const seen = await onMetal<string[]>(`
      const wrong = [];
      for (const length of [1, 2, 3, 4, 5, 15, 16, 17, 1000, 4095, 65537]) {
        const values = Float32Array.from({ length }, (_, index) => (index * 7) % 250);
        for (const dtype of ["float32", "float16", "bool"]) scope(() => {
          const given = dtype === "bool" ? values.map((value) => value % 2) : values;
          const made = tensor(given, [length], dtype);
          const expected = Array.from(made.dataSync(), Number).join();
          if (Array.from(made.clone().dataSync(), Number).join() !== expected) wrong.push("clone " + dtype + length);
          for (const from of [1, 3]) if (length > from + 1) {
            const part = made.slice([from], [length - from]).clone();
            if (Array.from(part.dataSync(), Number).join() !== expected.split(",").slice(from, length).join()) wrong.push("slice " + dtype + length + "," + from);
          }
        });
      }
      print(wrong);`);
    expect(seen).toEqual([]);
  });

  it("fills and overlapping copies touch what they should and nothing else", async () => {
    const seen = await onMetal<{ filled: string; moved: string; back: string }>(`
      const bytes = (made) => Buffer.from(new Uint8Array(made.storage.bytes)).map((_, index) => index);
      const made = tensor(Uint32Array.from({ length: 16 }, (_, index) => index), null, "uint32");
      const slot = made.storage.slot;
      metal.native.fill(slot, 5, 7, 0xab);
      const read = () => { const target = new Uint8Array(64); metal.native.readSync(slot, 0, 64, 0, target); return Buffer.from(target).toString("hex"); };
      const filled = read();
      metal.native.copy(slot, 0, slot, 3, 40);
      const moved = read();
      metal.native.copy(slot, 3, slot, 0, 40);
      print({ filled, moved, back: read() });`);
    const bytes = new Uint8Array(new Uint32Array(16).map((_, index) => index).buffer);
    bytes.fill(0xab, 5, 12);
    expect(seen.filled).toBe(Buffer.from(bytes).toString("hex"));
    bytes.copyWithin(3, 0, 40);
    expect(seen.moved).toBe(Buffer.from(bytes).toString("hex"));
    bytes.copyWithin(0, 3, 43);
    expect(seen.back).toBe(Buffer.from(bytes).toString("hex"));
  });

  it("zeros are zeros, though fresh buffers hold anything", async () => {
    const seen = await onMetal<number>(`
      let sum = 0;
      for (const length of [1, 100, 70000, 2 ** 20]) sum += zeros([length]).dataSync().reduce((total, value) => total + Math.abs(value) + Number(Number.isNaN(value)), 0);
      print(sum);`);
    expect(seen).toBe(0);
  });

  it("that Metal does not give is a MemoryError, after what is cached went back", async () => {
    const seen = await onMetal<{ failed: Failed; reused: number; small: number }>(
      `
      const make = (mebibytes) => zeros([mebibytes * 2 ** 18]);
      for (let index = 0; index < 3; index += 1) { const made = make(60); made.dataSync(); made.dispose(); }
      const reused = make(130).shape[0]; // fits only once the cached blocks are gone
      const failed = await failure(() => make(120));
      print({ failed, reused, small: tensor([5]).cast("float16").dataSync()[0] });`,
      { memoryBytes: 200 * 2 ** 20 },
    );
    expect(seen.failed.name).toBe("MemoryError");
    expect(seen.reused).toBe(130 * 2 ** 18);
    expect(seen.small).toBe(5);
  });

  it("larger than a buffer may be is a MemoryError that says so", async () => {
    const seen = await onMetal<{ failed: Failed; rounded: Failed; fine: number }>(
      `
      const failed = await failure(() => zeros([2 ** 24]));
      const rounded = await failure(() => zeros([31 * 2 ** 18])); // blocks come in eighths of a power of two
      print({ failed, rounded, fine: zeros([30 * 2 ** 18]).shape[0] });`,
      { maxBufferBytes: 32 * 2 ** 20 },
    );
    for (const failed of [seen.failed, seen.rounded]) {
      expect(failed.name).toBe("MemoryError");
      expect(failed.message).toContain(`a buffer of this device has at most ${30 * 2 ** 20} bytes`);
    }
    expect(seen.fine).toBe(30 * 2 ** 18);
  });

  it("a read for which there is no more memory is right all the same", async () => {
    const seen = await onMetal<number[]>(
      `
      const length = 30 * 2 ** 18;
      const source = tensor(new Float32Array(length).fill(7));
      const passing = zeros([length]); // its memory is the result's, and is written to for a while
      passing.dispose();
      const data = await source.data();
      await metal.synchronize();
      print([data[0], data[length - 1]]);`,
      { memoryBytes: 80 * 2 ** 20, delayMicroseconds: 100_000 },
    );
    expect(seen).toEqual([7, 7]);
  });

  it("larger than a buffer may be is not asked for at all: Metal's checks would end the program", async () => {
    const trace = join(mkdtempSync(join(tmpdir(), "metile-trace-")), "messages");
    const seen = await onMetal<{ failed: Failed; asked: number[] }>(
      `
      const { readFileSync } = await import("node:fs");
      const asked = () => readFileSync(${JSON.stringify(trace)}, "utf8").split("newBufferWithLength:").length;
      const before = asked();
      const failed = await failure(() => zeros([2 ** 24]));
      const between = asked();
      zeros([2 ** 20]);
      print({ failed, asked: [between - before, asked() - between] });`,
      { maxBufferBytes: 32 * 2 ** 20, trace },
    );
    expect(seen.failed).toMatchObject({ name: "MemoryError" });
    expect(seen.asked).toEqual([0, 1]);
  });

  it("a read sees what was there when it was asked for", async () => {
    const seen = await onMetal<number[][]>(
      `
      const made = tensor([1, 2, 3]);
      const first = made.data();
      made.write([4, 5, 6]);
      const second = made.cast("float16").data();
      made.dispose();
      const others = Array.from({ length: 10 }, () => tensor([9, 9, 9]).cast("float16"));
      print([Array.from(await first), Array.from(await second)]);`,
      { delayMicroseconds: 3000 },
    );
    expect(seen).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });
});
