import { describe, expect, test } from "vitest";
import { device, encode, launch, readWords, storage, thrown } from "./harness.js";

const slot = storage(Uint32Array.of(10, 20, 30, 40));
const constants = { 1: 1, 2: 0 };
const step = { kernel: "step", groups: 4, buffers: { 0: { slot, written: true } }, constants };

/** The words of a good launch with some of them replaced. */
function broken(changes: Record<number, number>, count?: number): () => void {
  const words = encode(step);
  for (const [index, value] of Object.entries(changes)) words[Number(index)] = value;
  return () => device.launch(words, count ?? words.length);
}

describe("a launch that is wrong is refused with its numbers", () => {
  const cases: [string, () => void, string][] = [
    ["unknown kernel", broken({ 0: 60000 }), "kernel 60000 does not exist"],
    ["kernel 0", broken({ 0: 0 }), "kernel 0 does not exist"],
    ["slot that never was", broken({ 9: 999_999 }), "storage 999999 does not exist"],
    ["offset past the end", broken({ 10: 17 }), `offset 17 is past the end of storage ${slot} of 16 bytes`],
    ["offset of many GiB", broken({ 11: 4 }), "offset 17179869184 is past the end"],
    ["unknown flags", broken({ 8: 8 << 8 }), "buffer 0 has unknown flags 8"],
    ["buffer index", broken({ 8: 31 }), "buffer index 31 is not below 31"],
    ["index given twice", broken({ 8: 1 }), "constant index 1 is given twice"],
    ["too few words", broken({}, 12), "launch of 12 words ends within a constant at word 12"],
    ["no header", broken({}, 5), "launch of 5 words ends within its header"],
    [
      "too many words",
      () => device.launch(Uint32Array.from([...encode(step), 0, 0]), 18),
      "launch of 18 words has 2 too many",
    ],
    ["too many constants", broken({ 7: 1 | (32 << 8) }), "launch with 1 buffers, 32 constants"],
    ["constant that overruns", broken({ 14: 2 | (64 << 8) }), "ends within the bytes of a constant"],
    ["constant without bytes", broken({ 14: 2 }), "constant 2 has no bytes"],
    ["grid beyond any", broken({ 1: 0xffffffff, 2: 0xffffffff, 3: 7 }), "grid of 4294967295 by 4294967295 by 7 groups"],
  ];
  test.each(cases)("%s", (_, call, message) => {
    const { launches } = device.counters();
    const error = thrown(call);
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toContain(message);
    expect(device.counters().launches).toBe(launches);
    expect([...readWords(slot, 4)]).toEqual([10, 20, 30, 40]);
  });

  test("constants of more than 4096 bytes", () => {
    const wide = encode({ ...step, constants: { ...constants, 4: new Uint32Array(1024) } });
    expect(thrown(() => device.launch(wide, wide.length)).message).toContain("more than 4096 bytes");
  });

  test("a count beyond the array, and words of another type", () => {
    expect(thrown(broken({}, 100))).toBeInstanceOf(RangeError);
    const floats = new Float32Array(encode(step)) as unknown as Uint32Array;
    expect(thrown(() => device.launch(floats, 16))).toBeInstanceOf(TypeError);
    expect(thrown(() => device.launch(undefined as unknown as Uint32Array, 16)).message).toContain(
      "words is undefined",
    );
  });

  test("a buffer that starts at the end of its storage is fine", () => {
    launch({ ...step, groups: 0, buffers: { 0: { slot, offset: 16, written: true } } });
    expect([...readWords(slot, 4)]).toEqual([10, 20, 30, 40]);
  });
});

describe("storages are checked", () => {
  test("a released slot stays invalid when its place is used again", () => {
    const old = device.allocate(64, false);
    device.release(old);
    const again = Array.from({ length: 200 }, () => device.allocate(64, false));
    expect(again).not.toContain(old);
    for (const call of [
      () => device.release(old),
      () => device.write(old, 0, Uint8Array.of(1)),
      () => device.fill(old, 0, 1, 0),
      () => device.copy(old, 0, again[0] as number, 0, 1),
      () => device.readSync(old, 0, 4, 0, new Uint8Array(4)),
      () => device.read(old, 0, 4, 0),
      () => launch({ ...step, buffers: { 0: { slot: old, written: true } } }),
    ]) {
      const error = thrown(call);
      expect(error).toBeInstanceOf(RangeError);
      expect(error.message).toBe(`storage ${old} has been released or never existed`);
    }
    for (const other of again) device.release(other);
  });

  test("ranges end within the storage", () => {
    const message = (what: string, bytes: number, offset: number) =>
      `${what} of ${bytes} bytes at offset ${offset} is past the end of storage ${slot} of 16 bytes`;
    expect(thrown(() => device.write(slot, 8, new Uint8Array(9))).message).toBe(message("write", 9, 8));
    expect(thrown(() => device.fill(slot, 17, 0, 0)).message).toBe(message("fill", 0, 17));
    expect(thrown(() => device.copy(slot, 0, slot, 12, 8)).message).toBe(message("copy", 8, 12));
    expect(thrown(() => device.readSync(slot, 0, 2 ** 40, 0, new Uint8Array(1))).message).toBe(
      message("read", 2 ** 40, 0),
    );
    expect(thrown(() => device.read(slot, 16, 1, 0)).message).toBe(message("read", 1, 16));
    expect(thrown(() => device.readSync(slot, 0, 16, 0, new Uint8Array(15))).message).toBe(
      "target has 15 bytes; expected at least 16",
    );
    expect(thrown(() => device.readSync(slot, 0, 8, 1, new Float32Array(3))).message).toBe(
      "target has 12 bytes; expected at least 16",
    );
    expect(thrown(() => device.read(slot, 1, 2, 2)).message).toContain("whole elements of 2 bytes");
  });

  test("arguments of another kind are type errors, numbers out of range are range errors", () => {
    const wrong = device as unknown as Record<string, (...values: unknown[]) => unknown>;
    for (const call of [
      () => wrong.allocate?.("64", false),
      () => wrong.allocate?.(64),
      () => wrong.release?.(null),
      () => wrong.write?.(slot, 0, [1, 2]),
      () => wrong.write?.(slot, 0, new ArrayBuffer(4)),
      () => wrong.loadLibrary?.(7),
      () => wrong.injectFault?.(undefined),
    ]) {
      expect(thrown(call)).toBeInstanceOf(TypeError);
    }
    for (const call of [
      () => device.allocate(-1, false),
      () => device.allocate(1.5, false),
      () => device.allocate(Number.NaN, false),
      () => device.release(2 ** 33),
      () => device.fill(slot, 0, 1, 256),
      () => device.read(slot, 0, 4, 3 as 2),
      () => device.kernel(1000, "scale"),
      () => {
        device.threads = 0;
      },
    ]) {
      expect(thrown(call)).toBeInstanceOf(RangeError);
    }
    expect(thrown(() => device.allocate(-1, false)).message).toBe(
      "bytes is -1; expected a whole number from 0 to 9007199254740991",
    );
  });
});
