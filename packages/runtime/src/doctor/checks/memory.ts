import type { Device } from "../../device/device.js";
import { MemoryError } from "../../errors/index.js";
import type { NativeDevice } from "../../native/types.js";
import { Storage } from "../../storage/storage.js";
import { Random } from "../../testing/random.js";
import { Findings } from "../outcome.js";
import type { DeviceCheck } from "../types.js";

const MiB = 2 ** 20;
/** More than any machine has, and less than what the addon is not asked for. */
const absurdBytes = 2 ** 50;
const sizes = [1, 3, 16, 4095, 4097, 1_000_003];
const offsets = [0, 1, 13, 4099];

let pool: Uint8Array | undefined;

/** Some bytes, other ones for each number of them. */
function randomBytes(bytes: number): Uint8Array {
  if (pool === undefined) {
    const random = new Random(1);
    pool = Uint8Array.from({ length: 2 * MiB }, () => random.integer(256));
  }
  const start = bytes % 1009;
  return pool.slice(start, start + bytes);
}

function read(native: NativeDevice, slot: number, bytes: number): Uint8Array {
  const target = new Uint8Array(bytes);
  native.readSync(slot, 0, bytes, 0, target);
  return target;
}

function same(seen: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(seen, expected) === 0) return;
  const at = expected.findIndex((byte, index) => seen[index] !== byte);
  const wrong = expected.reduce((count, byte, index) => count + Number(seen[index] !== byte), 0);
  throw new Error(`byte ${at} is ${seen[at]} in place of ${expected[at]}; ${wrong} of ${expected.length} are wrong`);
}

/** Runs with storages of given bytes and gives them back. */
async function withStorages(
  device: Device,
  bytes: readonly number[],
  run: (...slots: number[]) => void | Promise<void>,
): Promise<void> {
  const storages = bytes.map((each) => new Storage(device, each, true));
  try {
    await run(...storages.map(({ slot }) => slot));
  } finally {
    for (const storage of storages) storage.release();
  }
}

async function roundTrip(device: Device, bytes: number, offset: number): Promise<void> {
  const { native } = device;
  const whole = bytes + offset + 5;
  await withStorages(device, [whole], async (slot) => {
    const values = randomBytes(bytes);
    native.write(slot, offset, values);
    const expected = new Uint8Array(whole);
    expected.set(values, offset);
    same(read(native, slot, whole), expected);
    same(new Uint8Array(await native.read(slot, offset, bytes, 0)), values);
  });
}

async function fill(device: Device, bytes: number, offset: number): Promise<void> {
  const { native } = device;
  const whole = bytes + offset + 5;
  await withStorages(device, [whole], (slot) => {
    native.fill(slot, offset, bytes, 0xa5);
    const expected = new Uint8Array(whole).fill(0xa5, offset, offset + bytes);
    same(read(native, slot, whole), expected);
  });
}

async function copy(device: Device, bytes: number, from: number, to: number): Promise<void> {
  const { native } = device;
  await withStorages(device, [bytes + from, bytes + to + 5], (source, target) => {
    const values = randomBytes(bytes + from);
    native.write(source, 0, values);
    native.copy(source, from, target, to, bytes);
    const expected = new Uint8Array(bytes + to + 5);
    expected.set(values.subarray(from), to);
    same(read(native, target, expected.length), expected);
  });
}

/** Within one storage, where source and target overlap. */
async function overlap(device: Device, bytes: number, from: number, to: number): Promise<void> {
  const { native } = device;
  await withStorages(device, [bytes + Math.max(from, to)], (slot) => {
    const values = randomBytes(bytes + Math.max(from, to));
    native.write(slot, 0, values);
    native.copy(slot, from, slot, to, bytes);
    same(read(native, slot, values.length), values.copyWithin(to, from, from + bytes));
  });
}

async function large(device: Device, bytes: number): Promise<void> {
  const { native } = device;
  await withStorages(device, [bytes, bytes], async (source, target) => {
    const values = new Uint8Array(bytes);
    const part = randomBytes(65_521); // a prime: parts that change places show
    for (let at = 0; at < bytes; at += part.length) values.set(part.subarray(0, Math.min(part.length, bytes - at)), at);
    native.write(source, 0, values);
    native.copy(source, 0, target, 0, bytes);
    same(new Uint8Array(await native.read(target, 0, bytes, 0)), values);
  });
}

/** No machine has so much: the device says so, and works on. */
async function absurd(device: Device): Promise<void> {
  try {
    new Storage(device, absurdBytes, false).release();
  } catch (error) {
    if (error instanceof MemoryError) return roundTrip(device, 64, 0);
    throw error;
  }
  throw new Error(`the device claims to have ${absurdBytes} bytes`);
}

/** What goes to the device comes back the same. */
export const memory: DeviceCheck = {
  name: "memory",
  async run(device, { options }) {
    const findings = new Findings();
    let transfers = 0;
    const attempt = (step: string, run: () => Promise<void>): Promise<void> => {
      transfers += 1;
      return findings.attempt(step, run);
    };
    for (const bytes of sizes)
      for (const offset of offsets) {
        await attempt(`write and read ${bytes} bytes at ${offset}`, () => roundTrip(device, bytes, offset));
        await attempt(`fill ${bytes} bytes at ${offset}`, () => fill(device, bytes, offset));
        await attempt(`copy ${bytes} bytes from 3 to ${offset}`, () => copy(device, bytes, 3, offset));
      }
    for (const [from, to] of [
      [0, 7],
      [7, 0],
      [16, 4112],
      [4096, 0],
    ] as const)
      await attempt(`copy 100,001 bytes within a storage from ${from} to ${to}`, () =>
        overlap(device, 100_001, from, to),
      );
    const largeBytes = (device.info.standin || options.quick ? 8 : 64) * MiB;
    await attempt(`write, copy and read ${largeBytes} bytes`, () => large(device, largeBytes));
    await findings.attempt("a request for 2^50 bytes", () => absurd(device));
    const { live, cached, peak } = device.memory;
    return findings.outcome(`${transfers} transfers of 1 byte to ${largeBytes / MiB} MiB; too large is refused`, {
      transfers,
      largestBytes: largeBytes,
      memory: { live, cached, peak },
    });
  },
};
