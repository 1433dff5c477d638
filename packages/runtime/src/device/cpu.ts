import { DeviceError } from "../errors/index.js";
import { loadBinding } from "../native/load.js";
import type { Backend } from "./backend.js";
import { Device } from "./device.js";

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

/** The processor. It is always there; one too old for any kernel throws when it is opened. */
export const cpu: Backend = {
  name: "cpu",
  missing: () => undefined,
  open(reason) {
    const binding = loadBinding();
    const { brand, levels } = binding.cpu();
    const level = pickLevel(levels);
    const info = { name: "cpu", hardware: brand, level, reason, bfloat: true, standin: false } as const;
    const opened = new Device(info, binding.openCpu());
    const threads = process.env.METILE_THREADS;
    if (threads !== undefined && threads !== "") opened.threads = threadsOf(threads);
    return opened;
  },
};
