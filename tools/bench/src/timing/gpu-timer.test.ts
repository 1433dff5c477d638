import { describe, expect, it } from "vitest";
import { callsFor, type GpuQueue, GpuTimer } from "./gpu-timer.js";

/**
 * A made-up GPU: fillers take a millisecond each and are batches of their own, calls share batches of 8. Time goes by whenever
 * somebody looks.
 */
class FakeQueue implements GpuQueue {
  readonly inFlight = 4;
  fillers = 0;
  /** Fillers of the next sample that the device takes for part of a batch of calls. */
  joined = 0;
  /** Batches that end between two looks, once calls are queued. */
  stride = 1;
  readonly #batches: number[] = [];
  #calls = 0;
  #looks = 0;
  #done = { seconds: 0, commandBuffers: 0 };

  call(milliseconds: number): void {
    if (this.#calls % 8 === 0) this.#batches.push(0);
    this.#calls += 1;
    this.#batches[this.#batches.length - 1] = (this.#batches.at(-1) ?? 0) + milliseconds / 1000;
  }

  fill(): void {
    this.fillers += 1;
    if (this.joined > 0 && this.#batches.length > 0) {
      this.joined -= 1;
      this.#batches[this.#batches.length - 1] = (this.#batches.at(-1) ?? 0) + 1e-3;
    } else this.#batches.push(1e-3);
  }

  settle(): void {}

  time() {
    // Nothing ends at every other look.
    this.#looks += 1;
    if (this.#looks % 2 === 0)
      for (const batch of this.#batches.splice(0, this.#calls > 0 ? this.stride : 1)) {
        const { seconds, commandBuffers } = this.#done;
        this.#done = { seconds: seconds + batch, commandBuffers: commandBuffers + 1 };
      }
    return this.#done;
  }

  async synchronize(): Promise<void> {
    while (this.#batches.length > 0) this.time();
    this.#calls = 0;
  }
}

describe("GpuTimer", () => {
  it("gives the time of the calls without that of what filled the queue", async () => {
    const queue = new FakeQueue();
    const timer = new GpuTimer(queue, 20);
    for (let sample = 0; sample < 3; sample += 1)
      expect(await timer.time(1, () => void queue.call(0.25))).toBeCloseTo(0.25, 6);
    expect(queue.fillers).toBeGreaterThanOrEqual(3 * queue.inFlight);
    expect(timer.counts).toEqual({ samples: 3, repeated: 0, estimated: 0, commandBuffers: 3 });
  });

  it("does not depend on the number of calls", async () => {
    for (const calls of [1, 7, 40]) {
      const queue = new FakeQueue();
      expect(await new GpuTimer(queue, calls).time(1, () => void queue.call(2))).toBeCloseTo(2, 6);
    }
  });

  it("takes a sample again whose fillers are not all batches of their own", async () => {
    const queue = new FakeQueue();
    const timer = new GpuTimer(queue, 20);
    await timer.time(1, () => void queue.call(0.25));
    queue.joined = 2;
    expect(await timer.time(1, () => void queue.call(0.25))).toBeCloseTo(0.25, 6);
    expect(timer.counts.repeated).toBeGreaterThan(0);
    expect(timer.counts.estimated).toBe(0);
  });

  it("bears with an end of the fillers that nobody saw", async () => {
    const queue = new FakeQueue();
    const timer = new GpuTimer(queue, 20);
    await timer.time(1, () => void queue.call(0.25));
    queue.stride = 3; // batches end by threes between two looks
    expect(await timer.time(1, () => void queue.call(0.25))).toBeCloseTo(0.25, 6);
    expect(timer.counts).toMatchObject({ repeated: 0, estimated: 0 });
  });

  it("gives up telling fillers from calls in the end, and takes their usual time off the whole", async () => {
    const queue = new FakeQueue();
    const timer = new GpuTimer(queue, 20);
    await timer.time(1, () => void queue.call(0.25));
    queue.stride = 1000;
    expect(await timer.time(1, () => void queue.call(0.25))).toBeCloseTo(0.25, 6);
    expect(timer.counts).toMatchObject({ repeated: 3, estimated: 1 });
  });

  it("gives back what a call leaves, at once", async () => {
    const queue = new FakeQueue();
    let held = 0;
    let most = 0;
    await new GpuTimer(queue, 5).time(1, () => {
      queue.call(1);
      held += 1;
      most = Math.max(most, held);
      return {
        dispose: () => {
          held -= 1;
        },
      };
    });
    expect([held, most]).toEqual([0, 1]);
  });
});

describe("callsFor", () => {
  it("is enough for milliseconds, and never too many or too few", () => {
    expect(callsFor(1)).toBe(40);
    expect(callsFor(4e8)).toBe(25);
    expect(callsFor(1e12)).toBe(4);
  });
});
