import { sources } from "../../generated/index.js";
import { DeviceError } from "../errors/index.js";
import { describePlatform, loadBinding } from "../native/load.js";
import type { MetalReport } from "../native/types.js";
import type { Backend } from "./backend.js";
import { Device } from "./device.js";

function report(): MetalReport {
  return loadBinding().metal();
}

/** Apple's GPUs. */
export const metal: Backend = {
  name: "metal",
  missing(byName) {
    const found = report();
    if (!found.available) return found.reason.replace(/\.$/, "");
    // A stand-in runs kernels on this processor, slowly: right for tests, and never what somebody wants unasked.
    if (found.standin && !byName) return "METILE_METAL_STANDIN stands in for it, which is used when asked for by name";
    return undefined;
  },
  open(reason) {
    try {
      const native = loadBinding().openMetal(sources["transfer.metal"]);
      const found = report(); // after opening: whether there is bfloat is told by a compile
      if (!found.available) throw new Error(found.reason);
      const { name: hardware, architecture, languageVersion, bfloat = false, standin } = found;
      const level = [architecture, `Metal ${languageVersion}`].filter((part) => part !== "").join(", ");
      return new Device({ name: "metal", hardware, level, reason, bfloat, standin }, native);
    } catch (cause) {
      throw new DeviceError({
        operation: 'device("metal")',
        expected: "a GPU that Metal opens",
        received: (cause as Error).message.replace(/\.$/, ""),
        hint: `Nothing was moved to another device for you (${describePlatform()}).`,
        cause,
      });
    }
  },
};
