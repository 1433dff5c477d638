export { describePlain } from "./describe.js";

import { causeOf, describe, type ErrorFacts, MetileError, sentence } from "./error.js";

export { type ErrorFacts, MetileError };

/** A built-in error's class with the facts: what the classes below have in common. */
function withFacts(builtIn: new (message: string, options?: ErrorOptions) => Error, name: string) {
  return class extends builtIn implements ErrorFacts {
    declare operation?: string | undefined;
    declare argument?: string | undefined;
    declare received?: string | undefined;
    declare expected?: string | undefined;
    declare hint?: string | undefined;
    constructor(facts: ErrorFacts) {
      super(sentence(facts), causeOf(facts));
      describe(this, name, facts);
    }
  };
}

/** A shape, size, index or number outside its range; a `RangeError`. */
export class ShapeError extends withFacts(RangeError, "ShapeError") {}

/** An argument of the wrong kind: no tensor, an unknown option, a value that is not among the choices; a `TypeError`. */
export class ArgumentError extends withFacts(TypeError, "ArgumentError") {}

/** A tensor of a type that the operation does not take; a `TypeError`. */
export class DtypeError extends withFacts(TypeError, "DtypeError") {}

/** Use of a tensor or of saved values after `dispose()`, or of saved values that were written to; a `TypeError`. */
export class LifetimeError extends withFacts(TypeError, "LifetimeError") {}

/** The device has no room for what was asked, even after its cache was emptied; a `RangeError`. */
export class MemoryError extends withFacts(RangeError, "MemoryError") {
  /** Bytes asked for. */
  readonly requestedBytes: number;
  /** Bytes in use when the request failed. */
  readonly liveBytes: number;
  /** Bytes that the device may use. */
  readonly limitBytes: number;
  constructor(facts: ErrorFacts & { requestedBytes: number; liveBytes: number; limitBytes: number }) {
    const { requestedBytes, liveBytes, limitBytes, ...rest } = facts;
    super(rest);
    this.requestedBytes = requestedBytes;
    this.liveBytes = liveBytes;
    this.limitBytes = limitBytes;
  }
}

/** A device that is not there, an addon that does not load, tensors of two devices in one call. */
export class DeviceError extends withFacts(Error, "DeviceError") {}

/** A kernel text that does not compile, or a library that does not load. */
export class KernelError extends withFacts(Error, "KernelError") {}

/**
 * Work failed on the device. The read of every tensor that depends on it rejects with this error; other tensors and
 * later operations are unharmed.
 */
export class FaultError extends withFacts(Error, "FaultError") {
  /** What the kernel reported: a code of the operation, and the row, value and limit concerned. */
  readonly status: { code: number; row: number; value: number; limit: number } | undefined;
  constructor(
    facts: ErrorFacts & { status?: { code: number; row: number; value: number; limit: number } | undefined },
  ) {
    const { status, ...rest } = facts;
    super(rest);
    this.status = status;
  }
}
