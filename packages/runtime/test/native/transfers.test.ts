import { describe, expect, test } from "vitest";
import { burn, device, launch, readFloats, readWords, storage } from "./harness.js";

const MiB = 2 ** 20;

describe("write", () => {
  test("comes after work that is enqueued and before work that follows", () => {
    const slot = device.allocate(4 * MiB, true);
    const results: number[] = [];
    for (let round = 1; round <= 5; round += 1) {
      burn(slot, 10);
      device.write(slot, 0, new Uint32Array(MiB).fill(round));
      launch({
        kernel: "step",
        groups: MiB,
        work: MiB,
        buffers: { 0: { slot, written: true } },
        constants: { 1: 10, 2: 1 },
      });
      const copy = device.allocate(4 * MiB, false);
      device.copy(slot, 0, copy, 0, 4 * MiB);
      results.push(copy);
    }
    results.forEach((copy, index) => {
      const values = readWords(copy, MiB);
      expect(values.every((value) => value === (index + 1) * 10 + 1)).toBe(true);
      device.release(copy);
    });
    device.release(slot);
  });

  test("takes the values of the moment of the call", () => {
    const slot = device.allocate(MiB, false);
    burn(slot, 20);
    const values = new Float32Array(MiB / 4).fill(3);
    device.write(slot, 0, values);
    values.fill(4);
    expect(readFloats(slot, MiB / 4).every((value) => value === 3)).toBe(true);
    device.release(slot);
  });

  test("takes any view, at any offset, and changes nothing around it", () => {
    const slot = storage(new Uint8Array(32).fill(7));
    const bytes = Uint8Array.from({ length: 16 }, (_, index) => index);
    device.write(slot, 3, bytes.subarray(2, 5));
    device.write(slot, 9, new DataView(bytes.buffer, 10, 2));
    device.write(slot, 14, BigInt64Array.of(-1n));
    device.write(slot, 32, new Uint8Array(0));
    const target = new Uint8Array(32);
    device.readSync(slot, 0, 32, 0, target);
    const expected = new Uint8Array(32).fill(7);
    expected.set([2, 3, 4], 3);
    expected.set([10, 11], 9);
    expected.fill(255, 14, 22);
    expect([...target]).toEqual([...expected]);
    device.release(slot);
  });
});

describe("copy and fill", () => {
  test("move large ranges on several threads to the byte", () => {
    const bytes = 5 * MiB + 13;
    const source = storage(Uint8Array.from({ length: bytes }, (_, index) => (index * 31) >>> 3));
    const target = device.allocate(bytes + 10, false);
    device.fill(target, 0, bytes + 10, 0xee);
    device.copy(source, 5, target, 7, bytes - 9);
    const [before, after] = [new Uint8Array(bytes), new Uint8Array(bytes + 10)];
    device.readSync(source, 0, bytes, 0, before);
    device.readSync(target, 0, bytes + 10, 0, after);
    expect(Buffer.compare(before.subarray(5, bytes - 4), after.subarray(7, bytes - 2))).toBe(0);
    expect([...after.subarray(0, 7), ...after.subarray(bytes - 2)]).toEqual(new Array(19).fill(0xee));
    device.release(source);
    device.release(target);
  });

  test("a copy within one storage may overlap", () => {
    const slot = storage(Uint32Array.from({ length: 100 }, (_, index) => index));
    device.copy(slot, 0, slot, 40, 360);
    expect([...readWords(slot, 12)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1]);
    expect(readWords(slot, 100)[99]).toBe(89);
    device.release(slot);
  });
});

describe("read", () => {
  test("gives an ArrayBuffer of its own, small or large, busy or idle", async () => {
    for (const count of [1, 1000, 300_000]) {
      for (const busy of [false, true]) {
        const slot = storage(Float32Array.from({ length: count }, (_, index) => index / 2));
        if (busy) burn(device.allocate(4, false), 5);
        const buffer = await device.read(slot, 0, count * 4, 0);
        expect(buffer).toBeInstanceOf(ArrayBuffer);
        expect(buffer.byteLength).toBe(count * 4);
        const values = new Float32Array(buffer);
        expect(values[count - 1]).toBe((count - 1) / 2);
        values.fill(-1);
        expect(readFloats(slot, count)[count - 1]).toBe((count - 1) / 2);
        device.release(slot);
      }
    }
  });

  test("gives the values of its place in the stream, though the storage is released at once", async () => {
    const slot = device.allocate(MiB, false);
    burn(slot, 10);
    device.fill(slot, 0, MiB, 1);
    const first = device.read(slot, 0, MiB, 0);
    device.fill(slot, 0, MiB, 2);
    const second = device.read(slot, 0, MiB, 0);
    device.release(slot);
    const reused = device.allocate(MiB, false);
    device.fill(reused, 0, MiB, 3);
    expect(new Uint8Array(await first).every((value) => value === 1)).toBe(true);
    expect(new Uint8Array(await second).every((value) => value === 2)).toBe(true);
    device.release(reused);
  });

  test("of no bytes is an empty buffer", async () => {
    const slot = device.allocate(0, false);
    expect((await device.read(slot, 0, 0, 0)).byteLength).toBe(0);
    device.readSync(slot, 0, 0, 0, new Uint8Array(0));
    device.release(slot);
  });
});

describe("conversion to float32", () => {
  const all = Uint16Array.from({ length: 65536 }, (_, index) => index);

  function half(bits: number): number {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
  }

  function bfloat(bits: number): number {
    return new Float32Array(Uint32Array.of(bits * 65536).buffer)[0] as number;
  }

  test.each([
    ["half", 1, half],
    ["bfloat", 2, bfloat],
  ] as const)("%s: every pattern, at once and by promise, on one thread and several", async (_, convert, reference) => {
    const copies = 8;
    const slot = device.allocate(all.byteLength * copies, false);
    for (let copy = 0; copy < copies; copy += 1) device.write(slot, copy * all.byteLength, all);
    const direct = new Float32Array(all.length);
    device.readSync(slot, 0, all.byteLength, convert, direct);
    const promised = new Float32Array(await device.read(slot, 0, all.byteLength * copies, convert));
    let wrong = 0;
    for (let index = 0; index < promised.length; index += 1) {
      const expected = reference(index % all.length);
      if (!Object.is(promised[index], expected)) wrong += 1;
      if (index < all.length && !Object.is(direct[index], expected)) wrong += 1;
    }
    expect(wrong).toBe(0);
    device.release(slot);
  });
});
