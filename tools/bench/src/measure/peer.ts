import type { FloatingDtype } from "@metile/runtime";
import type { Case } from "./case.js";

/** Something that can run cases and time itself: meTile, another library, or a plain copy. */
export interface Peer {
  /** One word, the key of its samples: "metile", "copy", "eager". */
  readonly name: string;
  /**
   * Makes it ready to run on so many threads.
   *
   * @returns its version, for the record
   * @throws PeerUnavailable when it is not on this machine
   */
  start(threads: number): Promise<string>;
  /**
   * Makes the inputs of a case.
   *
   * @throws Error when it cannot run the case; the message is shown
   */
  prepare(task: Case): Promise<Prepared>;
  /**
   * Microseconds of the host's thread for a forward and backward pass at 8 × 1024, without waiting for the device; absent
   * where it is not measured.
   */
  hostCost?(operation: string, dtype: FloatingDtype): Promise<number[]>;
  /** Ends it and frees what it holds. */
  stop(): Promise<void>;
}

/** A case that is ready to run, as often as one likes. */
export interface Prepared {
  /** Runs once, or a batch of calls on a GPU, and gives the milliseconds that a call took. */
  run(): Promise<number>;
  /** Bytes above the inputs at the peak of one run, where it is known. */
  readonly peakBytes?: number;
  /** Frees the inputs. */
  release(): Promise<void>;
}

/** A peer is not on this machine: the message says what was tried and how to get it. */
export class PeerUnavailable extends Error {
  override readonly name = "PeerUnavailable";
}
