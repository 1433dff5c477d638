import { spawn } from "node:child_process";
import { device as open } from "@metile/runtime";
import { BenchKernel, packFor } from "./bench-kernel.js";
import { type Candidate, candidatesFor, spaceFor, variantOf } from "./candidates.js";
import { tunedKernels } from "./kernels.js";
import type { TuneSettings } from "./settings.js";

/** A kernel at a width, and how it may be launched. */
export interface Sweep {
  readonly kernel: (typeof tunedKernels)[number];
  readonly columns: number;
  readonly candidates: readonly Candidate[];
}

/** All of a sweep, in the order in which it goes. */
export function sweepsOf({ kernels, widths, rows, dtype, quick }: TuneSettings): Sweep[] {
  return widths.flatMap((columns) =>
    tunedKernels
      .filter(({ name }) => kernels.includes(name))
      .map((kernel) => {
        const space = spaceFor(kernel.sums > 0, rows, quick);
        return { kernel, columns, candidates: candidatesFor(columns, packFor(columns, dtype), space) };
      }),
  );
}

const rowsToCompile = 8;

/**
 * `tune-compile INDEX OF SETTINGS`: one of several processes that fill the cache of compiled kernels, each with its share.
 * What does not compile is left to the sweep, which says so.
 */
export async function compileVariants([index, of, json]: readonly string[]): Promise<number> {
  const settings = JSON.parse(json ?? "{}") as TuneSettings;
  const device = open(settings.device);
  let turn = 0;
  for (const { kernel, columns, candidates } of sweepsOf(settings)) {
    const bench = new BenchKernel(kernel, device, rowsToCompile, columns, settings.dtype, 1);
    const seen = new Set<string>();
    for (const candidate of candidates) {
      const variant = variantOf(candidate);
      if (seen.has(variant)) continue;
      seen.add(variant);
      turn += 1;
      if (turn % Number(of) !== Number(index)) continue;
      try {
        bench.launch({ ...candidate, groups: 1 }).dispose();
      } catch {}
    }
    bench.dispose();
  }
  await device.synchronize();
  return 0;
}

/** Runs the processes and waits for them. @returns how many of them failed */
export async function compileAhead(settings: TuneSettings, stop: AbortSignal): Promise<number> {
  const { processes } = settings;
  const ends = Array.from(
    { length: processes },
    (_, index) =>
      new Promise<boolean>((resolve) => {
        const words = [process.argv[1] as string, "tune-compile", `${index}`, `${processes}`, JSON.stringify(settings)];
        const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"], signal: stop });
        child.on("error", () => resolve(false)).on("exit", (code) => resolve(code === 0));
      }),
  );
  return (await Promise.all(ends)).filter((fine) => !fine).length;
}
