import type { Checks } from "../run.js";
import { devices } from "./devices.js";
import { eventLoop } from "./event-loop.js";
import { families } from "./families.js";
import { faults } from "./faults.js";
import { kernels } from "./kernels.js";
import { memory } from "./memory.js";
import { metalAbi } from "./metal-abi.js";
import { proofs } from "./proof.js";
import { runtimeKernels } from "./runtime-kernels.js";
import { system } from "./system.js";
import { worker } from "./worker.js";

/** Everything that the doctor looks at. */
export const allChecks: Checks = {
  machine: [system, families, devices],
  device: (context) => [metalAbi, kernels, memory, runtimeKernels, ...proofs(context), faults, worker, eventLoop],
};
