import { causeOf, describe, type ErrorFacts, MetileError, sentence } from "./error.js";

export { describePlain } from "./describe.js";
export { type ErrorFacts, MetileError };

/** A shape, size, index or number outside its range. */
export class ShapeError extends RangeError implements ErrorFacts {
  declare operation?: string | undefined;
  declare argument?: string | undefined;
  declare received?: string | undefined;
  declare expected?: string | undefined;
  declare hint?: string | undefined;
  constructor(facts: ErrorFacts) {
    super(sentence(facts), causeOf(facts));
    describe(this, "ShapeError", facts);
  }
}

/** An argument of the wrong kind: no tensor, an unknown option, a value that is not among the choices. */
export class ArgumentError extends TypeError implements ErrorFacts {
  declare operation?: string | undefined;
  declare argument?: string | undefined;
  declare received?: string | undefined;
  declare expected?: string | undefined;
  declare hint?: string | undefined;
  constructor(facts: ErrorFacts) {
    super(sentence(facts), causeOf(facts));
    describe(this, "ArgumentError", facts);
  }
}

/** A tensor of a type that the operation does not take. */
export class DtypeError extends TypeError implements ErrorFacts {
  declare operation?: string | undefined;
  declare argument?: string | undefined;
  declare received?: string | undefined;
  declare expected?: string | undefined;
  declare hint?: string | undefined;
  constructor(facts: ErrorFacts) {
    super(sentence(facts), causeOf(facts));
    describe(this, "DtypeError", facts);
  }
}

/** Use of a tensor or of saved values after `dispose()`, or of saved values that were written to. */
export class LifetimeError extends TypeError implements ErrorFacts {
  declare operation?: string | undefined;
  declare argument?: string | undefined;
  declare received?: string | undefined;
  declare expected?: string | undefined;
  declare hint?: string | undefined;
  constructor(facts: ErrorFacts) {
    super(sentence(facts), causeOf(facts));
    describe(this, "LifetimeError", facts);
  }
}

/** The device has no room for what was asked, even after its cache was emptied. */
export class MemoryError extends RangeError implements ErrorFacts {
  declare operation?: string | undefined;
  declare argument?: string | undefined;
  declare received?: string | undefined;
  declare expected?: string | undefined;
  declare hint?: string | undefined;
  /** Bytes asked for. */
  readonly requestedBytes: number;
  /** Bytes in use when the request failed. */
  readonly liveBytes: number;
  /** Bytes that the device may use. */
  readonly limitBytes: number;
  constructor(facts: ErrorFacts & { requestedBytes: number; liveBytes: number; limitBytes: number }) {
    super(sentence(facts), causeOf(facts));
    const { requestedBytes, liveBytes, limitBytes, ...rest } = facts;
    describe(this, "MemoryError", rest);
    this.requestedBytes = requestedBytes;
    this.liveBytes = liveBytes;
    this.limitBytes = limitBytes;
  }
}

/** A device that is not there, an addon that does not load, tensors of two devices in one call. */
export class DeviceError extends Error implements ErrorFacts {
  declare operation?: string | undefined;
  declare argument?: string | undefined;
  declare received?: string | undefined;
  declare expected?: string | undefined;
  declare hint?: string | undefined;
  constructor(facts: ErrorFacts) {
    super(sentence(facts), causeOf(facts));
    describe(this, "DeviceError", facts);
  }
}

/** A kernel text that does not compile, or a library that does not load. */
export class KernelError extends Error implements ErrorFacts {
  declare operation?: string | undefined;
  declare argument?: string | undefined;
  declare received?: string | undefined;
  declare expected?: string | undefined;
  declare hint?: string | undefined;
  constructor(facts: ErrorFacts) {
    super(sentence(facts), causeOf(facts));
    describe(this, "KernelError", facts);
  }
}

/**
 * Work failed on the device. The read of every tensor that depends on it rejects with this error; other tensors and
 * later operations are unharmed.
 */
export class FaultError extends Error implements ErrorFacts {
  declare operation?: string | undefined;
  declare argument?: string | undefined;
  declare received?: string | undefined;
  declare expected?: string | undefined;
  declare hint?: string | undefined;
  /** What the kernel reported: a code of the operation, and the row, value and limit concerned. */
  readonly status: { code: number; row: number; value: number; limit: number } | undefined;
  constructor(
    facts: ErrorFacts & { status?: { code: number; row: number; value: number; limit: number } | undefined },
  ) {
    super(sentence(facts), causeOf(facts));
    const { status, ...rest } = facts;
    describe(this, "FaultError", rest);
    this.status = status;
  }
}
