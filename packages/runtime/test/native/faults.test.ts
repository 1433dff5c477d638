import { describe, expect, test } from "vitest";
import { device, launch, readFloats, storage, thrown } from "./harness.js";

const source = storage(Float32Array.of(1, 2, 3, 4));

function scale(from: number, to: number, options: { overwritten?: boolean; operation?: number } = {}): void {
  launch({
    kernel: "scale",
    operation: options.operation ?? 0,
    buffers: { 0: from, 1: { slot: to, written: true, overwritten: options.overwritten ?? false } },
    constants: { 2: 4, 3: Float32Array.of(2) },
  });
}

function faulted(): number {
  const slot = device.allocate(16, true);
  device.injectFault("the lamp went out");
  scale(source, slot, { operation: 41 });
  return slot;
}

describe("a launch that fails", () => {
  test("faults what it writes: reads throw and reject with operation and message", async () => {
    const slot = faulted();
    const error = thrown(() => readFloats(slot, 4));
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code: "METILE_FAULT", operation: 41, message: "the lamp went out" });
    expect(error.status).toBeUndefined();
    await expect(device.read(slot, 0, 16, 0)).rejects.toMatchObject({ code: "METILE_FAULT", operation: 41 });
    expect([...readFloats(source, 4)]).toEqual([1, 2, 3, 4]);
    device.release(slot);
  });

  test("passes its fault on to everything that depends on it, by launches and copies", async () => {
    const [first, second, third, other] = [
      faulted(),
      device.allocate(16, true),
      device.allocate(16, true),
      device.allocate(16, true),
    ];
    scale(first, second, { operation: 42 });
    device.copy(second, 0, third, 0, 8);
    scale(source, other);
    for (const slot of [second, third]) {
      expect(thrown(() => readFloats(slot, 4))).toMatchObject({ code: "METILE_FAULT", operation: 41 });
    }
    expect([...readFloats(other, 4)]).toEqual([2, 4, 6, 8]);
    await device.synchronize();
    for (const slot of [first, second, third, other]) device.release(slot);
  });

  test("rejects a read that waits for it", async () => {
    const large = device.allocate(1 << 20, true);
    device.injectFault("late");
    launch({
      kernel: "scale",
      buffers: { 0: source, 1: { slot: large, written: true } },
      constants: { 2: 4, 3: Float32Array.of(1) },
    });
    await expect(device.read(large, 0, 1 << 20, 0)).rejects.toMatchObject({ code: "METILE_FAULT", message: "late" });
    device.release(large);
  });

  test("happens once: the next launch succeeds", () => {
    const slot = faulted();
    const fresh = device.allocate(16, true);
    scale(source, fresh);
    expect([...readFloats(fresh, 4)]).toEqual([2, 4, 6, 8]);
    device.release(slot);
    device.release(fresh);
  });
});

describe("status words", () => {
  const labels = storage(Int32Array.of(1, 0, 5, 1));

  function check(limit: number): number {
    const target = device.allocate(16, true);
    launch({
      kernel: "check_labels",
      groups: 4,
      operation: 7,
      buffers: { 0: labels, 1: { slot: target, written: true }, 2: "status" },
      constants: { 3: limit },
    });
    return target;
  }

  test("with a code are a fault with code, row, value and limit", () => {
    const target = check(2);
    expect(thrown(() => readFloats(target, 4))).toMatchObject({
      code: "METILE_FAULT",
      operation: 7,
      status: [1, 2, 5, 2],
    });
    device.release(target);
  });

  test("start as zeros for each launch, and without a code are no fault", () => {
    const bad = check(2);
    const good = check(6);
    const target = new Int32Array(4);
    device.readSync(good, 0, 16, 0, target);
    expect([...target]).toEqual([1, 0, 5, 1]);
    device.release(bad);
    device.release(good);
  });
});

describe("a fault ends", () => {
  test("by a write, a fill or a copy of the whole storage, at once or in the stream", () => {
    const slots = [faulted(), faulted(), faulted()] as const;
    device.write(slots[0], 0, Float32Array.of(9, 9, 9, 9));
    device.fill(slots[1], 0, 16, 0);
    device.copy(source, 0, slots[2], 0, 16);
    expect(slots.map((slot) => readFloats(slot, 1)[0])).toEqual([9, 0, 1]);
    const idle = faulted();
    expect(thrown(() => readFloats(idle, 4)).code).toBe("METILE_FAULT");
    device.write(idle, 0, Float32Array.of(8, 8, 8, 8));
    expect([...readFloats(idle, 4)]).toEqual([8, 8, 8, 8]);
    for (const slot of [...slots, idle]) device.release(slot);
  });

  test("not by a part of it", () => {
    const slot = faulted();
    device.write(slot, 4, Float32Array.of(9));
    device.fill(slot, 0, 15, 0);
    expect(thrown(() => readFloats(slot, 4)).code).toBe("METILE_FAULT");
    device.release(slot);
  });

  test("by a launch that succeeds and replaces all of the storage, and by no other", () => {
    const slot = faulted();
    scale(source, slot);
    expect(thrown(() => readFloats(slot, 4)).code).toBe("METILE_FAULT");
    scale(source, slot, { overwritten: true });
    expect([...readFloats(slot, 4)]).toEqual([2, 4, 6, 8]);
    device.release(slot);
  });

  test("with the storage: one that reuses its memory is sound", () => {
    device.release(faulted());
    const fresh = device.allocate(16, true);
    expect([...readFloats(fresh, 4)]).toEqual([0, 0, 0, 0]);
    device.release(fresh);
  });
});
