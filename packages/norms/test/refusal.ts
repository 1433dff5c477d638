import { MetileError } from "@metile/runtime";
import { leavesNothing } from "@metile/runtime/testing";

/**
 * The class and message of the error that a call throws, for inline snapshots.
 * @throws Error when the call throws nothing, something that is not meTile's, or leaves storage behind
 */
export function refusal(call: () => unknown): string {
  return leavesNothing(() => {
    try {
      call();
    } catch (error) {
      if (!(error instanceof MetileError)) throw error;
      const kind =
        error instanceof TypeError
          ? "TypeError"
          : error instanceof RangeError
            ? "RangeError"
            : error instanceof ReferenceError
              ? "ReferenceError"
              : "Error";
      return `${error.name} (${kind}): ${error.message}`;
    }
    throw new Error("the call was not refused");
  });
}
