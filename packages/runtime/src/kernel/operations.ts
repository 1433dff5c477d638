import { FaultError } from "../errors/index.js";
import { shared } from "../native/shared.js";

/** What a status code of an operation means: a sentence from the row, value and limit. */
export type StatusMessage = (status: { code: number; row: number; value: number; limit: number }) => string;

/** Operations by the number that goes with each launch; one table for all copies of the runtime, as faults cross them. */
interface Operations {
  readonly names: string[];
  readonly numbers: Map<string, number>;
  readonly messages: Map<string, StatusMessage>;
  /** The operation on whose behalf launches are made now. */
  current: number;
}

function operations(): Operations {
  const state = shared();
  state.operations ??= { names: ["kernel"], numbers: new Map(), messages: new Map(), current: 0 };
  return state.operations as Operations;
}

/** The number of an operation's name. */
export function operationNumber(name: string): number {
  const { names, numbers } = operations();
  let number = numbers.get(name);
  if (number === undefined) {
    number = names.push(name) - 1;
    numbers.set(name, number);
  }
  return number;
}

/** The operation on whose behalf launches are made now. */
export function currentOperation(): number {
  return operations().current;
}

/** Runs a function whose launches belong to an operation. */
export function withOperation<Result>(number: number, run: () => Result): Result {
  const state = operations();
  const before = state.current;
  state.current = number;
  try {
    return run();
  } finally {
    state.current = before;
  }
}

/** Lets an operation put its device faults into words. */
export function describeStatus(operation: string, message: StatusMessage): void {
  operations().messages.set(operation, message);
}

interface NativeFault extends Error {
  code?: string;
  operation?: number;
  status?: ArrayLike<number>;
}

/** The addon's error as a FaultError, if it is a fault; any other error as it is. */
export function asFault(error: unknown): unknown {
  const fault = error as NativeFault;
  if (!(error instanceof Error) || fault.code !== "METILE_FAULT") return error;
  const { names, messages } = operations();
  const operation = names[fault.operation ?? 0] ?? "kernel";
  if (fault.status === undefined)
    return new FaultError({
      operation,
      received: `a failure on the device: ${fault.message.replace(/\.$/, "")}`,
      cause: error,
    });
  const [code = 0, row = 0, value = 0, limit = 0] = Array.from(fault.status);
  const status = { code, row, value: value | 0, limit };
  const words =
    messages.get(operation)?.(status) ?? `status ${code} at row ${row}, value ${status.value}, limit ${limit}`;
  return new FaultError({ operation, received: words, status, cause: error });
}
