import { describe, expect, it } from "vitest";
import type { Case } from "./case.js";
import type { Peer } from "./peer.js";
import { measureCase } from "./runner.js";

const task: Case = {
  operation: "rmsNorm",
  pass: "forward",
  dtype: "float32",
  gradientType: "input",
  rounding: "once",
  rows: 2,
  columns: 3,
};

/** A peer that notes what happens to it; its runs take 1, 2, 3… milliseconds by its own word. */
function fake(name: string, log: string[], failing: { prepare?: string; run?: string } = {}): Peer {
  return {
    name,
    start: async () => "1.0",
    async prepare() {
      if (failing.prepare !== undefined) throw new Error(failing.prepare);
      let count = 0;
      log.push(`${name} prepared`);
      return {
        async run() {
          log.push(name);
          count += 1;
          if (failing.run !== undefined && count === 2) throw new Error(failing.run);
          return count;
        },
        async release() {
          log.push(`${name} released`);
        },
      };
    },
    stop: async () => {},
  };
}

describe("measureCase", () => {
  it("runs every peer once a round and begins each round with the next one", async () => {
    const log: string[] = [];
    await measureCase(task, [fake("a", log), fake("b", log)], { repeats: 3, warmups: 1, rest: 0 });
    const runs = log.filter((entry) => entry === "a" || entry === "b");
    expect(runs).toEqual(["a", "b", "b", "a", "a", "b", "b", "a"]);
  });

  it("leaves warm-up runs out of the samples", async () => {
    const { samples, failures } = await measureCase(task, [fake("a", [])], { repeats: 3, warmups: 2, rest: 0 });
    expect(samples).toEqual({ a: [3, 4, 5] });
    expect(failures).toEqual({});
  });

  it("keeps the peak of memory that a peer tells", async () => {
    const teller: Peer = {
      ...fake("b", []),
      prepare: async () => ({ run: async () => 1, release: async () => {}, peakBytes: 7 }),
    };
    const { peakBytes } = await measureCase(task, [fake("a", []), teller], { repeats: 1, warmups: 0, rest: 0 });
    expect(peakBytes).toEqual({ b: 7 });
  });

  it("goes on without a peer that cannot prepare, and says why", async () => {
    const peers = [fake("a", []), fake("b", [], { prepare: "no half on CPU" })];
    const { samples, failures } = await measureCase(task, peers, { repeats: 2, warmups: 0, rest: 0 });
    expect(samples).toEqual({ a: [1, 2], b: [] });
    expect(failures).toEqual({ b: "no half on CPU" });
  });

  it("drops the samples of a peer that fails on the way, and runs it no more", async () => {
    const log: string[] = [];
    const peers = [fake("a", log), fake("b", log, { run: "broken" })];
    const { samples, failures } = await measureCase(task, peers, { repeats: 4, warmups: 0, rest: 0 });
    expect(samples).toEqual({ a: [1, 2, 3, 4], b: [] });
    expect(failures).toEqual({ b: "broken" });
    expect(log.filter((entry) => entry === "b")).toHaveLength(2);
  });

  it("keeps what was measured when it is stopped, and releases every peer", async () => {
    const log: string[] = [];
    const stop = new AbortController();
    const { samples } = await measureCase(task, [fake("a", log), fake("b", log)], {
      repeats: 100,
      warmups: 0,
      rest: 0,
      signal: stop.signal,
      progress: (round) => {
        if (round === 2) stop.abort();
      },
    });
    expect(samples).toEqual({ a: [1, 2], b: [1, 2] });
    expect(log.slice(-2)).toEqual(["a released", "b released"]);
  });

  it("prepares nothing once it is stopped", async () => {
    const log: string[] = [];
    const { samples } = await measureCase(task, [fake("a", log)], { repeats: 2, signal: AbortSignal.abort() });
    expect(samples).toEqual({ a: [] });
    expect(log).toEqual([]);
  });

  it("tells of every round that counts", async () => {
    const rounds: string[] = [];
    await measureCase(task, [fake("a", [])], {
      repeats: 2,
      warmups: 3,
      rest: 0,
      progress: (round, all, peer) => rounds.push(peer ?? `${round}/${all}`),
    });
    expect(rounds).toEqual(["a", "0/2", "1/2"]);
  });
});
