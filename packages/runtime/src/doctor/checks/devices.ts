import type { Backend } from "../../device/backend.js";
import type { Device } from "../../device/device.js";
import { backendOf, backends, device as open } from "../../device/select.js";
import { loadBinding } from "../../native/load.js";
import { Findings, messageOf } from "../outcome.js";
import type { Check, Context, Detail } from "../types.js";

/** Devices that somebody named: by option, else in the environment. */
function askedFor({ options }: Context): readonly string[] {
  const chosen = process.env.METILE_DEVICE;
  if (options.devices.length > 0) return options.devices;
  return chosen === undefined || chosen === "" || chosen === "auto" ? [] : [chosen];
}

/** What a device says of itself, with the limits of a GPU. */
function describe(device: Device): Detail {
  const { info, threads, memoryLimit } = device;
  const facts = { ...info, threads, memoryLimit };
  if (info.name !== "metal") return facts;
  return { ...facts, limits: { ...loadBinding().metal() } };
}

/** One line about a device. */
function summarise({ info }: Device): string {
  const standIn = info.standin ? "stand-in: no GPU ran; " : "";
  return `${info.name} (${standIn}${info.hardware}, ${info.level})`;
}

/** Which devices are there, why the others are not, and what each can do. Opens the ones to look at. */
export const devices: Check = {
  name: "devices",
  run(context) {
    const findings = new Findings();
    const asked = askedFor(context);
    const onlyAsked = context.options.devices.length > 0;
    const opened: Device[] = [];
    const details: Record<string, Detail> = {};
    const absent: string[] = [];
    const wanted: Backend[] = [];
    for (const name of asked) {
      const backend = backendOf(name);
      if (backend === undefined) findings.fail(`METILE_DEVICE: there is no device called "${name}"`);
      else wanted.push(backend);
    }
    const further = wanted.filter(({ name }) => !backends.some((one) => one.name === name)); // cuda:1 and so on
    for (const { name, missing } of [...backends, ...further]) {
      const named = wanted.some((one) => one.name === name);
      try {
        const why = missing(named);
        if (why !== undefined) {
          if (named) findings.fail(`${name} was asked for: ${why}`);
          details[name] = { available: false, reason: why };
          absent.push(`no ${name}: ${why}`);
        } else if (onlyAsked && !named) {
          details[name] = { available: true, opened: false };
        } else {
          const device = open(name);
          opened.push(device);
          details[name] = { available: true, opened: true, facts: describe(device) };
          if (device.info.standin) findings.warn(`${name} is a stand-in: no GPU ran`);
        }
      } catch (error) {
        findings.fail(`${name}: ${messageOf(error)}`);
        details[name] = { available: false, reason: messageOf(error) };
      }
    }
    context.devices = opened;
    const lines = [...opened.map(summarise), ...absent];
    return findings.facts(lines.length === 0 ? "none" : lines.join("; "), details);
  },
};
