import { DeviceError } from "../errors/index.js";
import { describePlatform, loadBinding } from "../native/load.js";
import type { CudaReport } from "../native/types.js";
import type { Backend } from "./backend.js";
import { Device, type DeviceName } from "./device.js";

function report(): CudaReport {
  return loadBinding().cuda();
}

/** NVIDIA's GPUs: "cuda" is the first one, "cuda:1" the second. */
export function cuda(name: DeviceName, index: number): Backend {
  return {
    name,
    missing(byName) {
      const found = report();
      // Where it was looked for interests whoever wanted it.
      if (!found.available)
        return byName ? found.reason.replace(/\.$/, "") : found.reason.replace(/: looked for .*/s, "");
      const { length } = found.devices;
      return index < length ? undefined : `this machine has ${length} NVIDIA GPU${length === 1 ? "" : "s"}`;
    },
    open(reason) {
      try {
        const found = report();
        if (!found.available) throw new Error(found.reason);
        const native = loadBinding().openCuda(index);
        const facts = found.devices[index];
        const level = `${facts?.architecture}, CUDA ${found.compilerVersion}`;
        return new Device({ name, hardware: facts?.name ?? name, level, reason, bfloat: true, standin: false }, native);
      } catch (cause) {
        throw new DeviceError({
          operation: `device("${name}")`,
          expected: "a GPU that NVIDIA's driver opens",
          received: (cause as Error).message.replace(/\.$/, ""),
          hint: `Nothing was moved to another device for you (${describePlatform()}).`,
          cause,
        });
      }
    },
  };
}
