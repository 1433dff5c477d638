import { withOperation } from "../kernel/operations.js";
import { currentTracker, owner, settle, type Trackable, Tracker, tracked } from "../scope/tracker.js";
import type { Tensor } from "../tensor/tensor.js";

/**
 * Runs a part of a pair as that operation. Everything made in it is disposed of, but the tensors that it returns and
 * `saved`; on an error, everything.
 *
 * A returned tensor that was not made here (an input's own handle), or that is returned under two names, comes out as a
 * handle of its own, so that disposing of it harms no one.
 */
export function contained<
  Named extends Readonly<Record<string, Tensor | undefined>>,
  Saved extends Trackable | undefined,
>(operation: number, run: () => { tensors: Named; saved: Saved }): { tensors: Named; saved: Saved } {
  const tracker = new Tracker(currentTracker(), true);
  try {
    return withOperation(operation, () =>
      tracked(tracker, () => {
        const { tensors, saved } = run();
        const kept = new Set<Trackable>();
        const own: Record<string, Tensor | undefined> = {};
        for (const [name, tensor] of Object.entries(tensors)) {
          if (tensor === undefined) continue;
          const mine = tensor[owner] === tracker && !kept.has(tensor) ? tensor : tensor.handle();
          kept.add(mine);
          own[name] = mine;
        }
        if (saved !== undefined) kept.add(saved);
        settle(tracker, (item) => kept.has(item));
        return { tensors: own as Named, saved };
      }),
    );
  } catch (error) {
    settle(tracker, () => false);
    throw error;
  }
}
