import type { FloatingDtype } from "@metile/runtime";
import type { Case, Pass } from "../measure/case.js";

/** The sizes for which targets are stated, and which are measured when nothing else is asked for. */
export const statedFor = {
  cpu: { rows: 4096, columns: [8192] },
  gpu: { rows: 8192, columns: [4096, 8192, 16384] },
} as const;

/** What a case has to reach. */
export interface Target {
  /** How many times faster than the best peer; undefined: not stated. */
  readonly ratio: number | undefined;
  /** Of the bandwidth of a copy; undefined: not stated. */
  readonly shareOfCopy: number | undefined;
}

/** Against PyTorch eager, with as many threads. */
const cpuRatios: Readonly<Record<string, Partial<Record<Pass, Partial<Record<FloatingDtype, number>>>>>> = {
  rmsNorm: { forward: { float32: 2, bfloat16: 5 }, backward: { float32: 3, bfloat16: 3 } },
  layerNorm: { forward: { float32: 1.3, bfloat16: 1.3 }, backward: { float32: 1.2, bfloat16: 1.2 } },
};

/**
 * The target of a case, for the size and type that it is stated for; undefined for any other.
 *
 * @param device - "cpu", "cuda"
 */
export function targetOf(device: string, task: Case): Target | undefined {
  const { operation, pass, dtype, rows, columns } = task;
  const gpu = device.startsWith("cuda");
  if (!gpu && device !== "cpu") return undefined;
  const stated = gpu ? statedFor.gpu : statedFor.cpu;
  if (rows !== stated.rows || !(stated.columns as readonly number[]).includes(columns)) return undefined;
  if (!gpu) return { ratio: cpuRatios[operation]?.[pass]?.[dtype], shareOfCopy: 0.5 };
  if (dtype !== "bfloat16") return undefined;
  if (pass === "forward") return { ratio: 0.98, shareOfCopy: undefined };
  if (pass === "forward+backward")
    return { ratio: 1.15, shareOfCopy: operation === "layerNorm" && columns === 16384 ? 0.84 : 0.88 };
  return undefined;
}
