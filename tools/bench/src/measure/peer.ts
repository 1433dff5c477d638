import type { Case } from "./case.js";

/** Something that can run cases and time itself: meTile, another library, or a plain copy. */
export interface Peer {
  /** One word, the key of its samples: "metile", "copy", "torch". */
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
  /** Ends it and frees what it holds. */
  stop(): Promise<void>;
}

/** A case that is ready to run, as often as one likes. */
export interface Prepared {
  /** Runs once and gives the milliseconds that it took. */
  run(): Promise<number>;
  /** Frees the inputs. */
  release(): Promise<void>;
}

/** A peer is not on this machine: the message says what was tried and how to get it. */
export class PeerUnavailable extends Error {
  override readonly name = "PeerUnavailable";
}
