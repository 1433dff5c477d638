import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Device, device as open } from "@metile/runtime";
import { UsageError } from "../arguments.js";
import { locate, resultsFolder } from "../assets.js";
import { nvidiaDriver } from "../machine.js";
import { summarize } from "../measure/statistics.js";
import { CopyPeer } from "../peers/copy.js";
import { Progress } from "../report/progress.js";
import { describeMachine, writeJson } from "../report/record.js";
import { DeviceQueue } from "../timing/gpu-queue.js";
import { GpuTimer } from "../timing/gpu-timer.js";
import { BenchKernel } from "./bench-kernel.js";
import { choose, finalistsOf, type Timed } from "./choice.js";
import { compileAhead, type Sweep, sweepsOf } from "./compile.js";
import { summaryOf, type Tuned, type TuneRecord } from "./record.js";
import { parseTuneSettings, type TuneSettings, tuneUsage } from "./settings.js";

/** Calls of a sample in the first pass, which looks at hundreds of candidates. */
const firstCalls = 8;

/** A copy's milliseconds for so many bytes, beside tensors of this size. */
async function floorOf(device: Device, timer: GpuTimer, settings: TuneSettings, columns: number, bytes: number) {
  const task = {
    operation: "copy",
    pass: "forward",
    rows: settings.rows,
    columns,
    dtype: settings.dtype,
    gradientType: "input",
    rounding: "separate",
  } as const;
  const copy = await new CopyPeer(device, () => bytes, timer).prepare(task);
  const samples: number[] = [];
  for (let sample = -1; sample < settings.repeats; sample += 1) {
    const milliseconds = await copy.run();
    if (sample >= 0) samples.push(milliseconds);
  }
  await copy.release();
  return summarize(samples).median;
}

/** Sweeps a kernel at a width; undefined when it was stopped before anything could be said. */
async function tune(
  { kernel, columns, candidates }: Sweep,
  settings: TuneSettings,
  device: Device,
  queue: DeviceQueue,
  timer: GpuTimer,
  stop: AbortSignal,
  now: (text: string) => void,
): Promise<Tuned | undefined> {
  const bench = new BenchKernel(kernel, device, settings.rows, columns, settings.dtype);
  try {
    const floorMilliseconds = await floorOf(device, timer, settings, columns, bench.bytes);
    const quick = new GpuTimer(queue, firstCalls);
    const table = bench.table();
    const timed: Timed[] = [];
    const failures: string[] = [];
    for (const [index, candidate] of candidates.entries()) {
      if (stop.aborted) return undefined;
      now(`${kernel.name} ${columns}: ${index + 1} of ${candidates.length}`);
      try {
        bench.launch(candidate).dispose(); // loads the variant
        timed.push({ candidate, samples: [await quick.time(bench.bytes, () => bench.launch(candidate))] });
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    const finalists = finalistsOf(timed, table).map((candidate) => ({ candidate, samples: [] as number[] }));
    for (let round = -1; round < settings.repeats; round += 1) {
      now(`${kernel.name} ${columns}: finalists, ${round + 1} of ${settings.repeats}`);
      for (const { candidate, samples } of finalists) {
        if (stop.aborted) return undefined;
        const milliseconds = await timer.time(bench.bytes, () => bench.launch(candidate));
        if (round >= 0) samples.push(milliseconds);
      }
    }
    const firstPass = timed.map(({ candidate, samples }) => ({ candidate, milliseconds: samples[0] as number }));
    const shared = {
      kernel: kernel.name,
      columns,
      floorMilliseconds,
      tried: timed.length,
      finalists,
      firstPass,
      failures,
    };
    return { ...choose(finalists, table), ...shared };
  } finally {
    bench.dispose();
  }
}

/**
 * `bench tune`: compiles every variant in several processes, times all of them, times the fastest again beside what the launch
 * table picks, and writes what it found after each kernel and width.
 */
export async function tuneCommand(parameters: readonly string[], stop: AbortSignal): Promise<number> {
  const settings = parseTuneSettings(parameters, resolve(resultsFolder, "tune.json"));
  if (settings === undefined) {
    process.stdout.write(`${tuneUsage}\n`);
    return 0;
  }
  const device = open(settings.device);
  if (!device.isGpu) throw new UsageError(`--device: expected a GPU, received ${device.name}: a CPU has no tiles.`);
  const progress = new Progress(process.stderr);
  const sweeps = sweepsOf(settings);
  const began = new Date();
  progress.line(`${sweeps.length} sweeps, ${sweeps.reduce((sum, one) => sum + one.candidates.length, 0)} candidates`);
  progress.now("compiling");
  const failed = await compileAhead(settings, stop);
  progress.line(`compiled in ${((Date.now() - began.getTime()) / 1000).toFixed(1)} s`);
  if (failed > 0 && !stop.aborted)
    progress.line(
      `${failed} of ${settings.processes} compiling processes failed; their variants are compiled on the way.`,
    );
  const queue = new DeviceQueue(device);
  const timer = new GpuTimer(queue);
  const results: Tuned[] = [];
  const driver = device.name.startsWith("cuda") ? nvidiaDriver() : undefined;
  const out = locate(settings.out);
  const summary = out.replace(/(\.json)?$/, ".md");
  const save = (): TuneRecord => {
    const record: TuneRecord = {
      format: 1,
      date: began.toISOString(),
      stopped: stop.aborted,
      ...describeMachine(device, driver),
      settings: { ...settings },
      timer: timer.counts,
      results,
    };
    writeJson(out, record);
    writeFileSync(summary, summaryOf(record));
    return record;
  };
  for (const sweep of sweeps) {
    if (stop.aborted) break;
    const tuned = await tune(sweep, settings, device, queue, timer, stop, (text) => progress.now(text));
    if (tuned === undefined) break;
    results.push(tuned);
    const { tableMilliseconds, bestMilliseconds, lossPercent, floorMilliseconds } = tuned;
    progress.line(
      `${sweep.kernel.name} ${sweep.columns}: table ${tableMilliseconds.toFixed(4)} ms, best ${bestMilliseconds.toFixed(4)}, ` +
        `floor ${floorMilliseconds.toFixed(4)}; the table loses ${lossPercent.toFixed(1)} %`,
    );
    save();
  }
  progress.clear();
  queue.dispose();
  const record = save();
  process.stdout.write(`\n${summaryOf(record)}\nWritten to ${out} and ${summary}\n`);
  return record.stopped ? 130 : 0;
}
