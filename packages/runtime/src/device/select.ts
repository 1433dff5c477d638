import { ArgumentError, DeviceError, describePlain } from "../errors/index.js";
import { describePlatform } from "../native/load.js";
import { shared } from "../native/shared.js";
import type { Backend } from "./backend.js";
import { cpu } from "./cpu.js";
import { cuda } from "./cuda.js";
import type { Device, DeviceName } from "./device.js";
import { metal } from "./metal.js";

/** The kinds of devices, best first. */
export const backends: readonly Backend[] = [metal, cuda("cuda", 0), cpu];

/** The backend of a name. Of several NVIDIA GPUs, "cuda:0" and "cuda" are the first. */
export function backendOf(name: string): Backend | undefined {
  const [, index] = /^cuda:(\d{1,3})$/.exec(name) ?? [];
  if (index !== undefined && Number(index) > 0) return cuda(`cuda:${Number(index)}`, Number(index));
  const known = index === undefined ? name : "cuda";
  return backends.find((one) => one.name === known);
}

function noSuchDevice(asked: string, argument: string, why: string | undefined): DeviceError {
  return new DeviceError({
    operation: "device",
    argument,
    expected: `a device of this machine: ${availableDevices().join(", ")}`,
    received: why === undefined ? `"${asked}", which is no device's name` : `"${asked}"`,
    hint:
      why === undefined
        ? `Devices are called ${backends.map(({ name }) => name).join(", ")}; of several NVIDIA GPUs the second is cuda:1.`
        : `${why.charAt(0).toUpperCase()}${why.slice(1)}. Nothing was moved to another device for you (${describePlatform()}).`,
  });
}

/** The key of the best device: no device's name, and so none that somebody asks for. */
const best = "";

/** Opens a device that somebody named. */
function openNamed(name: string, argument: string, reason: string): Device {
  const devices = shared().devices as Map<string, Device>;
  const existing = name === best ? undefined : devices.get(name);
  if (existing !== undefined) return existing;
  const backend = backendOf(name);
  if (backend === undefined) throw noSuchDevice(name, argument, undefined);
  const why = backend.missing(true);
  if (why !== undefined) throw noSuchDevice(name, argument, why);
  return open(backend, reason);
}

function open(backend: Backend, reason: string): Device {
  const devices = shared().devices as Map<string, Device>;
  const existing = devices.get(backend.name);
  if (existing !== undefined) return existing;
  const opened = backend.open(reason);
  devices.set(backend.name, opened);
  return opened;
}

function openBest(): Device {
  const chosen = process.env.METILE_DEVICE;
  if (chosen !== undefined && chosen !== "" && chosen !== "auto")
    return openNamed(chosen, "METILE_DEVICE", `METILE_DEVICE=${chosen}`);
  const missing: string[] = [];
  for (const backend of backends) {
    const why = backend.missing(false);
    if (why === undefined) {
      const others = missing.length === 0 ? "" : ` (no ${missing.join("; no ")})`;
      return open(backend, `the best device of this machine${others}`);
    }
    missing.push(`${backend.name}: ${why}`);
  }
  throw new DeviceError({ operation: "device", expected: "a device", received: missing.join("; ") });
}

/** The devices of this machine, best first. */
export function availableDevices(): readonly DeviceName[] {
  const chosen = process.env.METILE_DEVICE;
  return backends.filter(({ name, missing }) => missing(name === chosen) === undefined).map(({ name }) => name);
}

/**
 * The device of that name, or the best one of this machine: `METILE_DEVICE` if it is set, else metal, cuda, cpu in
 * this order. `device().info.reason` says why. Asking by name for a device that is not there throws, with the reason and the
 * devices that are; nothing falls back in silence. The same name gives the same object.
 *
 * @param name - "metal", "cuda" ("cuda:1" for the second GPU) or "cpu"; by default, or for "auto", the best device
 * @throws DeviceError when the device, or the native addon, is not there; ArgumentError for anything but a text
 * @example
 * const cpu = device("cpu");
 * console.log(cpu.name, cpu.info.level, cpu.threads); // cpu v3 8
 */
export function device(name?: DeviceName | "auto"): Device {
  if (name !== undefined && typeof name !== "string")
    throw new ArgumentError({
      operation: "device",
      argument: "name",
      expected: "a device's name",
      received: describePlain(name),
    });
  if (name !== undefined && name !== "auto") return openNamed(name, "name", "asked for by name");
  const devices = shared().devices as Map<string, Device>;
  // Looking at the environment costs as much as queueing a launch: once is enough.
  let chosen = devices.get(best);
  if (chosen === undefined) {
    chosen = openBest();
    devices.set(best, chosen);
  }
  return chosen;
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
