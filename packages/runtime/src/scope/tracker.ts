import { AsyncLocalStorage } from "node:async_hooks";
import { shared } from "../native/shared.js";

/** Anything with storage behind it: tensors and saved values. */
export interface Disposable {
  dispose(): void;
}

/** Where an item keeps the tracker that it is in, so that disposing of it takes it out. */
export const owner = Symbol.for("metile.tracker");

/** A disposable that a scope can hold. */
export interface Trackable extends Disposable {
  [owner]: Tracker | undefined;
  /** Leaves the item to the garbage collector as well, as the net under `dispose()`. */
  guard(): void;
}

/** What one scope has to dispose of when it ends. */
export class Tracker {
  readonly items = new Set<Trackable>();
  readonly parent: Tracker | undefined;
  /** Whether it is sure to end, as an operation's is: what it holds needs no net, which costs a microsecond an item. */
  readonly certain: boolean;
  /** False once the scope has ended: contexts that outlive it (timers) then belong to the scope around it. */
  open = true;

  constructor(parent: Tracker | undefined, certain = false) {
    this.parent = parent;
    this.certain = certain;
  }
}

/** The trackers of all copies of the runtime in this environment. */
interface Trackers {
  /** Those of synchronous scopes and of operations, innermost last. */
  readonly stack: Tracker[];
  /** Those of asynchronous scopes; made by the first one, since it makes every await of the program dearer. */
  asynchronous: AsyncLocalStorage<Tracker> | undefined;
}

function trackers(): Trackers {
  const state = shared();
  state.trackers ??= { stack: [], asynchronous: undefined };
  return state.trackers as Trackers;
}

/** The innermost scope that is open here. */
export function currentTracker(): Tracker | undefined {
  const { stack, asynchronous } = trackers();
  let tracker = stack[stack.length - 1] ?? asynchronous?.getStore();
  while (tracker !== undefined && !tracker.open) tracker = tracker.parent;
  return tracker;
}

/** Puts an item into a scope; without one, into none. */
export function trackIn(tracker: Tracker | undefined, item: Trackable): void {
  item[owner] = tracker;
  tracker?.items.add(item);
  if (tracker?.certain !== true) item.guard();
}

/** Takes an item out of the scope that holds it: it was disposed of, or someone else answers for it. */
export function untrack(item: Trackable): void {
  item[owner]?.items.delete(item);
  item[owner] = undefined;
}

/** Runs a synchronous function with a tracker on the stack. */
export function tracked<Result>(tracker: Tracker, run: () => Result): Result {
  const { stack } = trackers();
  stack.push(tracker);
  try {
    return run();
  } finally {
    stack.pop();
  }
}

/** Runs an asynchronous function whose continuations find the tracker by their context. */
export function trackedAsynchronously<Result>(tracker: Tracker, run: () => Promise<Result>): Promise<Result> {
  const state = trackers();
  state.asynchronous ??= new AsyncLocalStorage<Tracker>();
  return state.asynchronous.run(tracker, () => tracked(tracker, run));
}

/** Ends a scope: what is kept moves to the scope around it, everything else is disposed of. */
export function settle(tracker: Tracker, isKept: (item: Trackable) => boolean): void {
  tracker.open = false;
  const items = [...tracker.items];
  tracker.items.clear();
  let outer = tracker.parent;
  while (outer !== undefined && !outer.open) outer = outer.parent;
  for (const item of items) {
    item[owner] = undefined;
    if (isKept(item)) trackIn(outer, item);
    else item.dispose();
  }
}
