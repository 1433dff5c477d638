import type { GpuTime } from "@metile/runtime";
import { summarize } from "../measure/statistics.js";
import type { Queue, Timer } from "./timer.js";

/** A GPU as the timer sees it; tests put a made-up one in its place. */
export interface GpuQueue {
  /** Batches that may be under way at once: with so many the next one waits on the host. */
  readonly inFlight: number;
  time(): GpuTime;
  /** Queues work of a tenth of a millisecond or so. */
  fill(): void;
  /** Lets the stream's thread send what is queued. */
  settle(first: boolean): void;
  synchronize(): Promise<void>;
}

/** Bytes a second that the number of calls is reckoned with; no result depends on it. */
const usualBandwidth = 4e12;
const sampleSeconds = 2.5e-3;
const fewestCalls = 4;
/** Not so many that the stream's queue, of 256 commands, makes the host wait: a call is up to four launches. */
const mostCalls = 40;
const attempts = 4;
/** Fillers whose end nobody saw, at most: their usual time is taken off, which is right to a microsecond or so. */
const mostMissing = 4;
/** Milliseconds after which the fillers are done, or were never what they should be. */
const patience = 200;
/** How far the fillers' time may lie from what they usually take before a sample is thrown away. */
const tolerance = 0.05;

/** Calls in a sample: enough for a few milliseconds. */
export function callsFor(bytes: number): number {
  return Math.min(mostCalls, Math.max(fewestCalls, Math.round((sampleSeconds * usualBandwidth) / bytes)));
}

/** What the timer has seen, for the record. */
export interface TimerCounts {
  readonly samples: number;
  /** Samples that were taken again, since the fillers and the calls could not be told apart. */
  readonly repeated: number;
  /** Samples that were kept although they could not, with the fillers' usual time taken off. */
  readonly estimated: number;
  /** Command buffers a sample, in the middle. */
  readonly commandBuffers: number | undefined;
}

/**
 * GPU time of calls. The device counts the seconds between begin and end of its batches; a batch holds up to 64 launches if they
 * are queued when it begins, and one or two if the device waits for the host. So the queue is filled first, with copies that
 * keep the GPU busy until every batch that may be under way is: the calls then pile up on the host and go in few batches, back
 * to back, as a stream of another library's would. The fillers' time is read off between the last of them and the first call.
 */
export class GpuTimer implements Timer {
  readonly #queue: GpuQueue;
  readonly #calls: number | undefined;
  readonly #fillers: number[] = [];
  readonly #buffers: number[] = [];
  #samples = 0;
  #repeated = 0;
  #estimated = 0;

  /** @param calls - in a sample; by default what the bytes suggest */
  constructor(queue: GpuQueue, calls?: number) {
    this.#queue = queue;
    this.#calls = calls;
  }

  get counts(): TimerCounts {
    const commandBuffers = this.#buffers.length > 0 ? summarize(this.#buffers).median : undefined;
    return { samples: this.#samples, repeated: this.#repeated, estimated: this.#estimated, commandBuffers };
  }

  async time(bytes: number, queue: Queue): Promise<number> {
    const calls = this.#calls ?? callsFor(bytes);
    this.#samples += 1;
    for (let attempt = 1; ; attempt += 1) {
      const { seconds, batches, clean } = await this.#sample(calls, queue);
      if (clean || attempt === attempts) {
        if (!clean) this.#estimated += 1;
        this.#buffers.push(batches);
        return (seconds / calls) * 1e3;
      }
      this.#repeated += 1;
    }
  }

  async #sample(calls: number, queue: Queue): Promise<{ seconds: number; batches: number; clean: boolean }> {
    const gpu = this.#queue;
    await gpu.synchronize();
    const before = gpu.time();
    let fillers = 0;
    while (fillers - (gpu.time().commandBuffers - before.commandBuffers) < gpu.inFlight && fillers < 4 * gpu.inFlight) {
      gpu.fill();
      gpu.settle(fillers === 0);
      fillers += 1;
    }
    for (let call = 0; call < calls; call += 1) queue()?.dispose();
    const edge = before.commandBuffers + fillers;
    const seen = this.#watch(edge);
    await gpu.synchronize();
    const after = gpu.time();
    const missing = edge - seen.commandBuffers;
    const filled = (seen.seconds - before.seconds) / Math.max(1, fillers - missing);
    const usual = this.#fillers.length > 0 ? summarize(this.#fillers).median : filled;
    const clean = missing >= 0 && missing <= mostMissing && Math.abs(filled - usual) <= tolerance * usual;
    if (clean) this.#fillers.push(filled);
    const seconds = clean
      ? after.seconds - seen.seconds - usual * missing
      : after.seconds - before.seconds - usual * fillers;
    return { seconds, batches: after.commandBuffers - edge, clean };
  }

  /** The time at the end of the last filler, or of one shortly before if the end itself went by between two looks. */
  #watch(edge: number): GpuTime {
    const limit = performance.now() + patience;
    let seen = this.#queue.time();
    for (;;) {
      const now = this.#queue.time();
      if (now.commandBuffers <= edge) seen = now;
      if (now.commandBuffers >= edge || performance.now() > limit) return seen;
    }
  }
}
