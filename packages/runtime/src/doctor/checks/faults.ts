import type { Device } from "../../device/device.js";
import { FaultError, KernelError } from "../../errors/index.js";
import { compileKernels } from "../../kernel/compile.js";
import { scope } from "../../scope/scope.js";
import { zeros } from "../../tensor/create.js";
import { failNextLaunch } from "../../testing/device.js";
import { Findings, messageOf } from "../outcome.js";
import type { Detail, DeviceCheck } from "../types.js";

const words = "injected by metile doctor";

/** The name of the bad text, and the line of its mistake. */
const fileName = "doctor.metal";
const badLine = 7;
const badText = `#include <metal_stdlib>
using namespace metal;
kernel void doctor(
    device float* target [[buffer(0)]],
    constant uint& count [[buffer(1)]],
    uint index [[thread_position_in_grid]]) {
  if (index < count) target[index] = no_such_name;
}
`;

/** A tensor through one launch: 1, 2, 3, 4 as int32. */
function computed(device: Device) {
  return scope(() => device.tensor([1, 2, 3, 4]).cast("int32"));
}

async function works(device: Device): Promise<void> {
  const after = computed(device);
  const values = await after.data();
  after.dispose();
  if (values.join() !== "1,2,3,4") throw new Error(`gave ${values.join()} in place of 1,2,3,4`);
}

/** What depends on a failed launch rejects, and nothing else. */
async function fault(device: Device): Promise<void> {
  failNextLaunch(words, device);
  const failed = computed(device);
  try {
    await failed.data();
  } catch (error) {
    if (!(error instanceof FaultError) || !error.message.includes(words)) throw error;
    return;
  } finally {
    failed.dispose();
  }
  throw new Error("a read resolved that depends on a launch which failed");
}

/** A text that does not compile says where. Gives the compiler's words. */
function refusal(device: Device): string {
  const target = zeros([4], "float32", device);
  try {
    compileKernels(badText, fileName).doctor?.({ target }, { count: 4 }, { groups: 1, threads: 32 });
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    if (error.message.includes(`${fileName}:${badLine}`)) return messageOf(error);
    throw new Error(`the message does not name ${fileName}:${badLine}: ${error.message}`);
  } finally {
    target.dispose();
  }
  throw new Error("a text with an unknown name compiled");
}

/** Failures come where they belong, and the device works on. */
export const faults: DeviceCheck = {
  name: "faults",
  async run(device) {
    const findings = new Findings();
    await findings.attempt("an injected fault", () => fault(device));
    await findings.attempt("the operation after a fault", () => works(device));
    let message: Detail = null;
    if (device.isGpu) {
      await findings.attempt("a kernel that does not compile", () => {
        message = refusal(device);
      });
      await findings.attempt("the operation after that", () => works(device));
    }
    const compile = device.isGpu ? "; a text that does not compile names its line" : "";
    return findings.outcome(`a fault rejects what depends on it, the next operation works${compile}`, {
      compilerMessage: message,
    });
  },
};
