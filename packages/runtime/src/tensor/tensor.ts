import { copyTensor } from "../copy/copy.js";
import { moveTensor } from "../copy/move.js";
import type { Device, DeviceName } from "../device/device.js";
import { resolveDevice } from "../device/select.js";
import { type DataOf, type Dtype, dtypeInfo } from "../dtype/dtype.js";
import { ArgumentError, LifetimeError } from "../errors/index.js";
import { currentTracker, owner, type Trackable, type Tracker, trackIn, untrack } from "../scope/tracker.js";
import { ownerDisposed, releaseWithOwner, type Storage } from "../storage/storage.js";
import { type Geometry, isContiguous, sizeOf } from "./geometry.js";
import type { TensorValues } from "./nested.js";
import { readBits, readBitsSync, readData, readDataSync } from "./read.js";
import * as views from "./views.js";
import { writeValues } from "./write.js";

const mark = Symbol.for("metile.tensor");

/**
 * An array on a device: a shape, an element type, and strides into storage that views share.
 *
 * Made by {@link tensor}, {@link zeros}, operations and views; freed by `dispose()`, `using`, {@link scope}, or, as a net,
 * by the garbage collector. Operations on a disposed tensor throw.
 */
export class Tensor<D extends Dtype = Dtype> implements Geometry, Trackable {
  /** The scope that will dispose of it. */
  [owner]: Tracker | undefined;
  readonly #dtype: D;
  readonly #shape: readonly number[];
  readonly #strides: readonly number[];
  readonly #offset: number;
  readonly #size: number;
  #storage: Storage;
  #disposed = false;
  #guarded = false;

  /** For the runtime: takes over one reference to the storage. Use {@link tensor} and its like. */
  constructor(storage: Storage, dtype: D, geometry: Geometry) {
    this.#storage = storage;
    this.#dtype = dtype;
    // Frozen, and behind getters: kernels trust these numbers with memory.
    this.#shape = Object.freeze(geometry.shape);
    this.#strides = Object.freeze(geometry.strides);
    this.#offset = geometry.offset;
    this.#size = sizeOf(geometry.shape);
    trackIn(currentTracker(), this);
  }

  /** Whether a value is a tensor, of this copy of the runtime or of another of the same version. */
  static [Symbol.hasInstance](value: unknown): value is Tensor {
    return typeof value === "object" && value !== null && mark in value;
  }

  get [mark](): true {
    return true;
  }

  get dtype(): D {
    return this.#dtype;
  }

  get shape(): readonly number[] {
    return this.#shape;
  }

  /** Elements from one index to the next, for each dimension; 0 where one element is seen many times. */
  get strides(): readonly number[] {
    return this.#strides;
  }

  /** Elements from the start of the storage to the first one. */
  get offset(): number {
    return this.#offset;
  }

  /** The number of elements. */
  get size(): number {
    return this.#size;
  }

  get device(): Device {
    return this.#storage.device;
  }

  /** The number of dimensions. */
  get rank(): number {
    return this.shape.length;
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  /** Bytes from the start of the storage to the first element. */
  get byteOffset(): number {
    return this.offset * dtypeInfo(this.dtype).bytes;
  }

  /** Whether the elements lie one after the other, last dimension fastest. */
  get isContiguous(): boolean {
    return isContiguous(this);
  }

  /**
   * The storage that views share.
   * @throws LifetimeError when the tensor was disposed of
   */
  get storage(): Storage {
    if (this.#disposed)
      throw new LifetimeError({
        argument: `tensor [${this.shape.join(", ")}] ${this.dtype}`,
        expected: "a live tensor",
        received: "one that was disposed of",
      });
    return this.#storage;
  }

  /**
   * The elements in row-major order, as soon as they are computed: a Float32Array (for half types too), Int32Array,
   * Uint32Array, or Uint8Array of 0 and 1 for bool. The copy is the caller's.
   * @throws FaultError (rejects) when an operation it depends on failed on the device
   */
  data(): Promise<DataOf[D]> {
    return readData(this) as Promise<DataOf[D]>;
  }

  /** Like {@link Tensor.data}, but blocks the thread. */
  dataSync(): DataOf[D] {
    return readDataSync(this) as DataOf[D];
  }

  /** The bits of a float16 or bfloat16 tensor, row-major. */
  bits(): Promise<Uint16Array> {
    return readBits(this);
  }

  /** Like {@link Tensor.bits}, but blocks the thread. */
  bitsSync(): Uint16Array {
    return readBitsSync(this);
  }

  /**
   * The same elements under another shape; one extent may be -1. A view where strides can express it, else a copy.
   * @throws ShapeError when the number of elements differs
   */
  reshape(shape: readonly number[]): Tensor<D> {
    return views.reshape(this, shape);
  }

  /**
   * A view with the dimensions in another order; reversed by default.
   * @example tensor([[1, 2, 3]]).transpose().shape; // [3, 1]
   */
  transpose(order?: readonly number[]): Tensor<D> {
    return views.transpose(this, order);
  }

  /**
   * A view of a block: `begin` and `size` for each leading dimension, the rest whole; a size of -1 reaches to the end.
   * @example tensor([1, 2, 3, 4]).slice([1], [2]).dataSync(); // 2, 3
   */
  slice(begin: readonly number[], size?: readonly number[]): Tensor<D> {
    return views.slice(this, begin, size);
  }

  /** A view of a larger shape in which dimensions of length 1, and new leading ones, are repeated by stride 0. */
  expand(shape: readonly number[]): Tensor<D> {
    return views.expand(this, shape);
  }

  /**
   * A view with any shape, strides (elements, >= 0) and offset (elements from the start of this tensor).
   * @throws ShapeError when it would reach past the storage
   */
  asStrided(shape: readonly number[], strides: readonly number[], offset = 0): Tensor<D> {
    return views.asStrided(this, shape, strides, offset);
  }

  /** Another handle to the same elements. Each handle is disposed of by itself. */
  handle(): Tensor<D> {
    return views.view(this, this);
  }

  /**
   * A copy in another type: floats are rounded once, to nearest even; floats to integers go towards zero and saturate, NaN
   * becomes 0; between int32 and uint32 the 32 bits stay the same; anything but 0 is true.
   */
  cast<To extends Dtype>(dtype: To): Tensor<To> {
    return copyTensor(this, dtype);
  }

  /** A contiguous copy. */
  clone(): Tensor<D> {
    return copyTensor(this, this.dtype);
  }

  /** The tensor's elements contiguously: another handle if they already are, else a copy. */
  contiguous(): Tensor<D> {
    return this.isContiguous ? this.handle() : this.clone();
  }

  /**
   * Overwrites all elements, in the order of the queue. Backward passes that saved this storage throw afterwards.
   * @param values - as for {@link tensor}; a typed array or nested arrays of the same number of elements
   */
  write(values: TensorValues): void {
    if (!this.isContiguous)
      throw new ArgumentError({
        operation: "Tensor.write",
        argument: "this",
        expected: "a contiguous tensor",
        received: `strides [${this.strides.join(", ")}] for shape [${this.shape.join(", ")}]`,
      });
    const storage = this.storage;
    writeValues(this, values);
    storage.version += 1;
  }

  /**
   * This tensor on a device: another handle if it is there already, else a contiguous copy with the same bits, for which the
   * call waits until the tensor is computed.
   * @throws FaultError when an operation it depends on failed on its device
   */
  to(target: Device | DeviceName): Tensor<D> {
    const wanted = resolveDevice("Tensor.to", target);
    void this.storage;
    return wanted === this.device ? this.handle() : moveTensor(this, wanted);
  }

  /** Gives up this handle. The memory is free for reuse when the last handle, view and saved value is gone. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    untrack(this);
    if (this.#guarded) ownerDisposed(this);
    this.#storage.release();
  }

  /** For scopes: leaves the storage to the garbage collector as well. */
  guard(): void {
    if (this.#guarded || this.#disposed) return;
    this.#guarded = true;
    releaseWithOwner(this, [this.#storage]);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  toString(): string {
    return `Tensor(${this.dtype} [${this.shape.join(", ")}] on ${this.#storage.device.name}${this.#disposed ? ", disposed" : ""})`;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}
