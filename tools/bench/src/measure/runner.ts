import { setTimeout as wait } from "node:timers/promises";
import type { Case } from "./case.js";
import type { Peer, Prepared } from "./peer.js";

/** How a case is measured. */
export interface RunOptions {
  /** Samples of each peer. */
  readonly repeats: number;
  /** Runs of each peer before the first sample. Default: 2. */
  readonly warmups?: number;
  /**
   * Milliseconds of rest before each run, so that the threads of the peer before, which spin for a moment, are asleep.
   * Default: 5.
   */
  readonly rest?: number;
  /** Ends the measurement after the run at hand; what was measured is kept. */
  readonly signal?: AbortSignal;
  /** Told before every round, and with round -1 before a peer prepares. */
  readonly progress?: (round: number, rounds: number, peer?: string) => void;
}

/** What was measured of a case. */
export interface CaseResult {
  readonly task: Case;
  /** Milliseconds by the name of the peer, in the order of the rounds; empty when it failed or was stopped before. */
  readonly samples: Readonly<Record<string, readonly number[]>>;
  /** Bytes above the inputs at the peak of one run, by the name of the peer that can tell. */
  readonly peakBytes: Readonly<Record<string, number>>;
  /** Why a peer has no samples, by its name. */
  readonly failures: Readonly<Record<string, string>>;
}

/**
 * Measures a case with several peers, in rounds: each round runs every peer once, and the round after begins with the next
 * peer, so that drift of the machine (clock, neighbours) meets all of them alike. A peer that fails is left out from there
 * on and its samples are dropped; the others go on.
 *
 * @param task - the case
 * @param peers - started peers
 * @example
 * const { samples } = await measureCase(task, [metile, copy], { repeats: 15 });
 * summarize(samples.metile).median; // milliseconds
 */
export async function measureCase(task: Case, peers: readonly Peer[], options: RunOptions): Promise<CaseResult> {
  const { repeats, warmups = 2, rest = 5, signal, progress } = options;
  const failures: Record<string, string> = {};
  const peakBytes: Record<string, number> = {};
  const samples: Record<string, number[]> = {};
  const ready = new Map<string, Prepared>();
  const fail = (name: string, error: unknown): void => {
    failures[name] = error instanceof Error ? error.message : String(error);
    samples[name] = [];
  };
  try {
    for (const peer of peers) {
      samples[peer.name] = [];
      if (signal?.aborted) continue;
      try {
        progress?.(-1, repeats, peer.name);
        const prepared = await peer.prepare(task);
        ready.set(peer.name, prepared);
        if (prepared.peakBytes !== undefined) peakBytes[peer.name] = prepared.peakBytes;
      } catch (error) {
        fail(peer.name, error);
      }
    }
    const names = [...ready.keys()];
    for (let round = -warmups; round < repeats; round += 1) {
      if (round >= 0) progress?.(round, repeats);
      for (let turn = 0; turn < names.length; turn += 1) {
        const name = names[(turn + round + warmups) % names.length] as string;
        const prepared = ready.get(name);
        if (name in failures || prepared === undefined) continue;
        await wait(rest);
        if (signal?.aborted) return { task, samples, peakBytes, failures };
        try {
          const milliseconds = await prepared.run();
          if (round >= 0) samples[name]?.push(milliseconds);
        } catch (error) {
          fail(name, error);
        }
      }
    }
    return { task, samples, peakBytes, failures };
  } finally {
    for (const [name, prepared] of ready)
      await prepared.release().catch((error: unknown) => {
        failures[name] ??= error instanceof Error ? error.message : String(error);
      });
  }
}
