import { ArgumentError, describePlain } from "../errors/index.js";
import { currentTracker, settle, Tracker, tracked, trackedAsynchronously } from "./tracker.js";

const AsyncFunction = (async () => {}).constructor;

/** Everything that a result holds: tensors in arrays, plain objects, maps and sets are what a scope lets out. */
function heldBy(result: unknown, held = new Set<unknown>()): Set<unknown> {
  if (typeof result !== "object" || result === null || held.has(result)) return held;
  held.add(result);
  if ("dispose" in result || ArrayBuffer.isView(result)) return held;
  const inside =
    result instanceof Map
      ? [...result.keys(), ...result.values()]
      : result instanceof Set
        ? result
        : Object.values(result);
  for (const value of inside) heldBy(value, held);
  return held;
}

function end<Result>(tracker: Tracker, result: Result): Result {
  let held: Set<unknown>;
  try {
    held = heldBy(result);
  } catch (error) {
    // A getter of the result threw: nothing can be told to be kept.
    settle(tracker, () => false);
    throw error;
  }
  settle(tracker, (item) => held.has(item));
  return result;
}

function isThenable(value: unknown): boolean {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

/**
 * Runs a function and disposes of every tensor and every saved value made in it, except what its result holds: a tensor, or
 * tensors in arrays, plain objects, maps and sets. If the function throws, everything made in it is disposed of.
 *
 * A native `async` function may be passed too: its scope ends when its promise settles. (The first such scope switches on Node's
 * tracking of asynchronous contexts, which makes every await of the program a little dearer.)
 *
 * @param run - the function; what it returns is what `scope` returns
 * @returns the function's result
 * @throws ArgumentError when a function that is not `async` returns a promise: what it would make later could not be told
 * from anyone else's
 * @example
 * const output = scope(() => {
 *   const { output } = rmsNorm.forward(source, weight);  // what was saved goes, the output stays
 *   return output;
 * });
 */
export function scope<Result>(run: () => Result): Result {
  if (typeof run !== "function")
    throw new ArgumentError({
      operation: "scope",
      argument: "run",
      expected: "a function",
      received: describePlain(run),
    });
  const tracker = new Tracker(currentTracker());
  if (run instanceof AsyncFunction) {
    const promise = trackedAsynchronously(tracker, run as unknown as () => Promise<unknown>);
    return promise.then(
      (value) => end(tracker, value),
      (error: unknown) => {
        settle(tracker, () => false);
        throw error;
      },
    ) as Result;
  }
  let result: Result;
  try {
    result = tracked(tracker, run);
    if (isThenable(result)) {
      // It goes on without us and may well fail; the caller learns of the mistake from our error.
      (result as PromiseLike<unknown>).then(undefined, () => {});
      throw new ArgumentError({
        operation: "scope",
        argument: "run",
        expected: "an async function, or one that returns no promise",
        received: "a function that returned a promise",
        hint: "Write scope(async () => …).",
      });
    }
  } catch (error) {
    settle(tracker, () => false);
    throw error;
  }
  return end(tracker, result);
}
