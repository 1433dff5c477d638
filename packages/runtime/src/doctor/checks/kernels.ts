import type { KernelsDescriptor } from "../../kernel/types.js";
import { shared } from "../../native/shared.js";
import { compileAll, type KernelReport } from "../kernels/compile.js";
import { counted, Findings } from "../outcome.js";
import type { DeviceCheck } from "../types.js";

/** Packages whose kernels are known here, once each, though two copies of one may be loaded. */
function packages(): KernelsDescriptor[] {
  const all = shared().kernels as KernelsDescriptor[];
  return [...new Map(all.map((descriptor) => [descriptor.family, descriptor])).values()];
}

function describe({ refused, limits, ...kernel }: KernelReport) {
  return {
    ...kernel,
    ...(limits && { limits: { ...limits } }),
    refused: refused.map(({ macros, message }) => ({ macros, message })),
  };
}

/** Every shipped kernel text compiles on the device; on a CPU, every entry of the libraries is there. */
export const kernels: DeviceCheck = {
  name: "kernels",
  run(device, { options }) {
    const findings = new Findings();
    const reports = packages().flatMap((descriptor) => compileAll(device, descriptor, options.quick));
    for (const { family, kernel, file, macros, message } of reports.flatMap(({ refused }) => refused))
      findings.fail(`@metile/${family}: ${kernel} of ${file} (${macros || "no macros"})\n${message}`);
    const variants = reports.reduce((sum, report) => sum + report.variants, 0);
    if (variants === 0) findings.fail("there was no kernel to look at");
    const names = [...new Set(reports.map(({ family }) => family))].join(", ");
    return findings.facts(`${counted(variants, "variant")} of ${counted(reports.length, "kernel")} (${names})`, {
      variants,
      kernels: reports.map(describe),
    });
  },
};
