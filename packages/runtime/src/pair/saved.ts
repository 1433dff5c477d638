import type { Dtype } from "../dtype/dtype.js";
import { LifetimeError } from "../errors/index.js";
import { currentTracker, owner, type Trackable, type Tracker, trackIn, untrack } from "../scope/tracker.js";
import { ownerDisposed, releaseWithOwner, type Storage } from "../storage/storage.js";
import type { Geometry } from "../tensor/geometry.js";
import { Tensor } from "../tensor/tensor.js";
import { deepFreeze } from "./freeze.js";

interface Kept {
  readonly storage: Storage;
  readonly version: number;
  readonly dtype: Dtype;
  readonly geometry: Geometry;
}

/**
 * What a forward pass keeps for its backward pass: references to storage, so that disposing of the tensors themselves is
 * harmless. Backward may run many times. Freed by `dispose()`, `using`, a scope, or the garbage collector.
 */
export class Saved<State = unknown> implements Trackable {
  /** The operation that saved it. */
  readonly operation: string;
  /** The inputs that a gradient can be asked for. */
  readonly wanted: readonly string[];
  /** The inputs that the call had, differentiable or not. */
  readonly present: readonly string[];
  /** What else the pair keeps: numbers and shapes. */
  readonly state: State;
  /** The scope that will dispose of it. */
  [owner]: Tracker | undefined;
  readonly #kept = new Map<string, Kept>();
  #disposed = false;
  #guarded = false;

  /** For pairs: `tensors` are kept by reference and stay the caller's. */
  constructor(
    operation: string,
    wanted: readonly string[],
    present: readonly string[],
    state: State,
    tensors: Readonly<Record<string, Tensor | undefined | null>>,
  ) {
    this.operation = operation;
    this.wanted = wanted;
    this.present = present;
    this.state = deepFreeze(state);
    for (const [name, tensor] of Object.entries(tensors)) {
      if (tensor === undefined || tensor === null) continue;
      const { storage, dtype, shape, strides, offset } = tensor;
      storage.retain();
      this.#kept.set(name, { storage, version: storage.version, dtype, geometry: { shape, strides, offset } });
    }
    trackIn(currentTracker(), this);
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  /** Bytes of the storages it refers to. */
  get bytes(): number {
    const storages = new Set([...this.#kept.values()].map((kept) => kept.storage));
    return [...storages].reduce((sum, storage) => sum + storage.bytes, 0);
  }

  /** Throws when it was disposed of, or when something it refers to was written to since. */
  check(operation: string): void {
    if (this.#disposed)
      throw new LifetimeError({
        operation,
        argument: "saved",
        expected: "live saved values",
        received: "disposed ones",
      });
    for (const [name, { storage, version }] of this.#kept)
      if (storage.version !== version)
        throw new LifetimeError({
          operation,
          argument: "saved",
          expected: `"${name}" as the forward pass left it`,
          received: "a tensor that was written to since",
          hint: "Run backward before writing to it, or run forward on a clone.",
        });
  }

  /** A new handle to something saved, or undefined. */
  tensor(name: string): Tensor | undefined {
    const kept = this.#kept.get(name);
    return kept === undefined ? undefined : new Tensor(kept.storage.retain(), kept.dtype, kept.geometry);
  }

  /** Gives up the references. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    untrack(this);
    if (this.#guarded) ownerDisposed(this);
    for (const { storage } of this.#kept.values()) storage.release();
    this.#kept.clear();
  }

  /** For scopes: leaves the storages to the garbage collector as well. */
  guard(): void {
    if (this.#guarded || this.#disposed) return;
    this.#guarded = true;
    releaseWithOwner(
      this,
      [...this.#kept.values()].map(({ storage }) => storage),
    );
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
