import { ArgumentError, DeviceError, describePlain } from "../errors/index.js";
import { describePlatform, loadBinding } from "../native/load.js";
import { shared } from "../native/shared.js";
import { Device, type DeviceName } from "./device.js";

const known: readonly string[] = ["metal", "cuda", "cpu"];

function pickLevel(levels: readonly string[]): string {
  const asked = process.env.METILE_CPU_LEVEL;
  const best = levels[levels.length - 1];
  if (best === undefined)
    throw new DeviceError({
      operation: 'device("cpu")',
      expected: "a processor with AVX2, FMA and F16C (Intel Haswell, AMD Zen, or later)",
      received: loadBinding().cpu().brand,
      hint: "meTile has no kernels for older x86-64 processors.",
    });
  if (asked === undefined || asked === "") return best;
  if (!levels.includes(asked))
    throw new DeviceError({
      operation: 'device("cpu")',
      argument: "METILE_CPU_LEVEL",
      expected: `a level that this processor has: ${levels.join(", ")}`,
      received: asked,
    });
  return asked;
}

function threadsOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 1024) return count;
  throw new DeviceError({
    operation: 'device("cpu")',
    argument: "METILE_THREADS",
    expected: "a whole number from 1 to 1024",
    received: JSON.stringify(text),
  });
}

function openCpu(reason: string): Device {
  const binding = loadBinding();
  const { brand, levels } = binding.cpu();
  const level = pickLevel(levels);
  const opened = new Device({ name: "cpu", hardware: brand, level, reason }, binding.openCpu());
  const threads = process.env.METILE_THREADS;
  if (threads !== undefined && threads !== "") opened.threads = threadsOf(threads);
  return opened;
}

function open(name: string, reason: string): Device {
  const devices = shared().devices as Map<string, Device>;
  const existing = devices.get(name);
  if (existing !== undefined) return existing;
  if (name !== "cpu") {
    const unknown = !known.includes(name);
    throw new DeviceError({
      operation: "device",
      argument: reason.startsWith("METILE_DEVICE") ? "METILE_DEVICE" : "name",
      expected: `a device of this machine: ${[...availableDevices()].join(", ")}`,
      received: unknown ? `"${name}", which is no device's name` : `"${name}"`,
      hint: unknown
        ? `Devices are called ${known.join(", ")}.`
        : `This version of @metile/runtime runs on the CPU alone; nothing was moved there for you (${describePlatform()}).`,
    });
  }
  const opened = openCpu(reason);
  devices.set(name, opened);
  return opened;
}

/** The devices of this machine, best first. */
export function availableDevices(): readonly DeviceName[] {
  return ["cpu"];
}

/**
 * The device of that name, or the best one of this machine: `METILE_DEVICE` if it is set, else metal, cuda, cpu in this
 * order. `device().info.reason` says why. Asking by name for a device that is not there throws, with the reason and the
 * devices that are; nothing falls back in silence. The same name gives the same object.
 *
 * @param name - "cpu"; by default, or for "auto", the best device
 * @throws DeviceError when the device, or the native addon, is not there
 * @example
 * const cpu = device("cpu");
 * console.log(cpu.name, cpu.info.level, cpu.threads); // cpu v3 8
 */
export function device(name?: DeviceName | "auto"): Device {
  if (name !== undefined && name !== "auto") return open(name, "asked for by name");
  const devices = shared().devices as Map<string, Device>;
  // Looking at the environment costs as much as queueing a launch: once is enough.
  let best = devices.get("");
  if (best === undefined) {
    best = openBest();
    devices.set("", best);
  }
  return best;
}

/** The device that a call names, by object or by name; the best one for undefined. */
export function resolveDevice(operation: string, named: Device | DeviceName | undefined): Device {
  // Not by class: another copy of the runtime may have opened it.
  if (typeof named === "object" && named !== null && "native" in named) return named;
  if (named === undefined || typeof named === "string") return device(named);
  throw new ArgumentError({
    operation,
    argument: "device",
    expected: "a device or its name",
    received: describePlain(named),
  });
}

function openBest(): Device {
  const chosen = process.env.METILE_DEVICE;
  if (chosen === undefined || chosen === "" || chosen === "auto") return open("cpu", "the best device of this machine");
  return open(chosen, `METILE_DEVICE=${chosen}`);
}
