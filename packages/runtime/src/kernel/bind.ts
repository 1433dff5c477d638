import type { Device } from "../device/device.js";
import { type Dtype, dtypeInfo, dtypes } from "../dtype/dtype.js";
import { ArgumentError, DeviceError, DtypeError, describePlain, LifetimeError, ShapeError } from "../errors/index.js";
import {
  encodeBuffer,
  encodeConstant,
  encodeCounts,
  encodeThreadgroup,
  HEADER_WORDS,
  typeParts,
  words,
} from "./encode.js";
import { currentOperation } from "./operations.js";
import { checkLaunch } from "./strict.js";
import type { BufferArgument, BufferReflection, KernelReflection, LaunchShape } from "./types.js";
import { type Codes, type Resolve, Variants } from "./variants.js";

/** A kernel as a function, in the build's typed form or untyped. */
export type BoundKernel = (
  buffers: Readonly<Record<string, BufferArgument | null | undefined>>,
  constants: Readonly<Record<string, unknown>>,
  shape: LaunchShape,
) => void;

const WRITTEN = 1;
const STATUS = 2;
const OVERWRITTEN = 4;

/** rms_norm_forward → rmsNormForward */
export function camelCase(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

const metalTypes: Partial<Record<string, Dtype>> = Object.fromEntries(
  dtypes.map((name) => [dtypeInfo(name).metal, name]),
);

function isStatus(buffer: BufferReflection): boolean {
  return buffer.name === "status" && /uint$/.test(buffer.element);
}

/** What a buffer's position in the kernel means for its argument. */
interface Slot {
  readonly key: string;
  readonly reflection: BufferReflection;
  /** The position of its type macro, or -1. */
  readonly macro: number;
  /** The type that its elements must have, when no macro decides. */
  readonly fixed: Dtype | undefined;
  readonly flags: number;
}

function slotOf(kernel: KernelReflection, reflection: BufferReflection): Slot {
  const macro = kernel.macros.indexOf(reflection.element);
  const flags = (reflection.access === "write" ? WRITTEN : 0) | (isStatus(reflection) ? STATUS : 0);
  return { key: camelCase(reflection.name), reflection, macro, fixed: metalTypes[reflection.element], flags };
}

function takeType(kernel: KernelReflection, slot: Slot, argument: BufferArgument, codes: Codes): void {
  const { code } = dtypeInfo(argument.dtype);
  if (slot.macro < 0) {
    if (slot.fixed !== undefined && slot.fixed !== argument.dtype)
      throw new DtypeError({
        operation: kernel.name,
        argument: slot.key,
        expected: slot.fixed,
        received: argument.dtype,
      });
    return;
  }
  const before = codes[slot.macro];
  if (before !== -1 && before !== code)
    throw new DtypeError({
      operation: kernel.name,
      argument: slot.key,
      expected: `one type for all buffers of ${slot.reflection.element}`,
      received: argument.dtype,
    });
  codes[slot.macro] = code;
}

/** What the addon refuses, such as more threadgroup memory than the device has, in the kernel's name. */
function launch(kernel: string, device: Device, count: number): void {
  try {
    device.native.launch(words, count);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ShapeError({ operation: kernel, received: `a ${cause.message.replace(/^a /, "")}`, cause });
  }
}

/** Numbers of slots mean something on their own device alone. */
function elsewhere(kernel: string, argument: string, device: Device, expected: Device): DeviceError {
  return new DeviceError({
    operation: kernel,
    argument,
    expected: `a buffer on ${expected.name}, where the others are`,
    received: `one on ${device.name}`,
    hint: "Move it with tensor.to(device).",
  });
}

function encodeGroups(kernel: string, groups: LaunchShape["groups"]): void {
  if (typeof groups !== "number" && groups?.length !== 3)
    throw new ShapeError({
      operation: kernel,
      argument: "groups",
      expected: "a number, or three",
      received: Array.isArray(groups) ? `${groups.length} numbers` : describePlain(groups),
    });
  for (let axis = 0; axis < 3; axis += 1) {
    const count = typeof groups === "number" ? (axis === 0 ? groups : 1) : (groups[axis] as number);
    if (!Number.isInteger(count) || count < 0 || count >= 2 ** 32)
      throw new ShapeError({
        operation: kernel,
        argument: `groups[${axis}]`,
        expected: "a whole number below 2^32",
        received: describePlain(count),
      });
    words[axis + 1] = count;
  }
}

/**
 * Makes a kernel callable: buffers and constants by name, checked, encoded and queued.
 *
 * @param byHand - launches are not typed by a build: names and layouts are checked as well
 */
export function bindKernel(kernel: KernelReflection, resolve: Resolve, byHand = false): BoundKernel {
  const slots = kernel.buffers.map((reflection) => slotOf(kernel, reflection));
  const constants = kernel.constants.map((reflection) => ({
    reflection,
    key: camelCase(reflection.name),
    parts: typeParts(reflection.type),
    automatic: reflection.automatic === undefined ? undefined : camelCase(reflection.automatic),
  }));
  const threadgroup = kernel.threadgroup.map(({ index, name }) => ({ index, key: camelCase(name) }));
  const variants = new Variants(kernel, resolve);
  const codes: Codes = kernel.macros.map(() => -1);

  const names = {
    buffers: slots.filter((slot) => (slot.flags & STATUS) === 0).map((slot) => slot.key),
    constants: constants.filter(({ automatic }) => automatic === undefined).map(({ key }) => key),
  };

  return (buffers, values, shape) => {
    if (byHand) checkLaunch(kernel.name, names, [buffers, values, shape]);
    codes.fill(-1);
    let at = HEADER_WORDS;
    let device: Device | undefined;
    for (const slot of slots) {
      if (slot.flags & STATUS) {
        at = encodeBuffer(at, slot.reflection.index, slot.flags, 0, 0);
        continue;
      }
      const argument = buffers[slot.key];
      if (argument === undefined || argument === null) {
        if (!slot.reflection.optional)
          throw new ArgumentError({
            operation: kernel.name,
            argument: slot.key,
            expected: "a buffer",
            received: String(argument),
          });
        at = encodeBuffer(at, slot.reflection.index, 0, 0, 0);
        continue;
      }
      takeType(kernel, slot, argument, codes);
      const { storage } = argument;
      if (storage.slot === 0)
        throw new LifetimeError({
          operation: kernel.name,
          argument: slot.key,
          expected: "live storage",
          received: "storage that was released",
        });
      device ??= storage.device;
      if (storage.device !== device) throw elsewhere(kernel.name, slot.key, storage.device, device);
      const flags = shape.overwrites && slot.flags & WRITTEN ? slot.flags | OVERWRITTEN : slot.flags;
      at = encodeBuffer(at, slot.reflection.index, flags, storage.slot, argument.byteOffset);
    }
    for (const { reflection, key, parts, automatic } of constants) {
      const value = automatic === undefined ? values[key] : buffers[automatic] == null ? 0 : 1;
      at = encodeConstant(kernel.name, at, reflection, parts, value);
    }
    if (device === undefined)
      throw new ArgumentError({
        operation: kernel.name,
        argument: "buffers",
        expected: "at least one",
        received: "none",
      });
    let threadgroupCount = 0;
    if (device.isGpu) {
      for (const { index, key } of threadgroup)
        at = encodeThreadgroup(kernel.name, at, index, key, shape.threadgroup?.[key]);
      threadgroupCount = threadgroup.length;
    }
    words[0] = variants.find(device, codes, shape);
    encodeGroups(kernel.name, shape.groups);
    words[4] = shape.threads ?? 1;
    words[5] = Math.min(shape.work ?? 0xffffffff, 0xffffffff);
    words[6] = currentOperation();
    words[7] = encodeCounts(slots.length, constants.length, threadgroupCount);
    launch(kernel.name, device, at);
    for (const slot of slots) {
      if (slot.flags & WRITTEN) {
        const written = buffers[slot.key];
        if (written) written.storage.version += 1;
      }
    }
  };
}
