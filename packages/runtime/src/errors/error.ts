/** What an error knows, as data: the sentence is built from it. */
export interface ErrorFacts {
  /** The operation or function that was called, as the caller wrote it. */
  operation?: string | undefined;
  /** The argument at fault. */
  argument?: string | undefined;
  /** What came, in words or numbers. */
  received?: string | undefined;
  /** What was wanted, in words or numbers. */
  expected?: string | undefined;
  /** What to do about it: a full sentence. */
  hint?: string | undefined;
  /** The error underneath, if there was one. */
  cause?: unknown;
}

const mark = Symbol.for("metile.error");

/** Everything that meTile throws or rejects with. */
export interface MetileError extends Error, ErrorFacts {
  readonly [mark]: true;
}

/**
 * The family of meTile's errors. Each class extends the built-in that a caller would expect (`ShapeError` is a
 * `RangeError`), so the family is recognised by a mark and not by the prototype chain.
 *
 * @example
 * try {
 *   rmsNorm(source, weight);
 * } catch (error) {
 *   if (error instanceof MetileError) console.log(error.operation, error.argument);
 * }
 */
export const MetileError: { [Symbol.hasInstance](value: unknown): value is MetileError } = {
  [Symbol.hasInstance](value: unknown): value is MetileError {
    return typeof value === "object" && value !== null && mark in value;
  },
};

/** The sentence for a set of facts. */
export function sentence(facts: ErrorFacts): string {
  const place = [facts.operation, facts.argument].filter((part) => part !== undefined).join(": ");
  const wanted = facts.expected === undefined ? undefined : `expected ${facts.expected}`;
  const came = facts.received === undefined ? undefined : `received ${facts.received}`;
  const body = [wanted, came].filter((part) => part !== undefined).join(", ");
  const head = [place, body].filter((part) => part !== "").join(": ");
  return [head === "" ? undefined : `${head}.`, facts.hint].filter((part) => part !== undefined).join(" ");
}

/** Writes the facts and the mark onto an error that a built-in constructor made. */
export function describe(error: Error, name: string, facts: ErrorFacts): void {
  Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  Object.defineProperty(error, mark, { value: true });
  for (const [key, value] of Object.entries(facts))
    if (key !== "cause" && value !== undefined) Object.assign(error, { [key]: value });
}

/** The options of a built-in error's constructor. */
export function causeOf(facts: ErrorFacts): ErrorOptions | undefined {
  return facts.cause === undefined ? undefined : { cause: facts.cause };
}
