/**
 * What proves kernels: exact rounding and comparison, central differences, layouts of memory, guards around storages, and
 * ways to make a device fail. For tests of families and of your own pairs; it depends on no test runner.
 *
 * @module
 */
export { combinations, subsets } from "./testing/combinations.js";
export {
  type CompareTolerance,
  type Comparison,
  ComparisonError,
  compare,
  defaultTolerances,
} from "./testing/compare.js";
export { failNextLaunch, launchesOf, withThreads } from "./testing/device.js";
export { differentiate, type NamedValues, type NumericFunction } from "./testing/differentiate.js";
export { GUARD_VALUE, GuardError, withGuards } from "./testing/guards.js";
export { type Layout, layouts, type Placed } from "./testing/layouts.js";
export {
  dirtyMemory,
  hashOf,
  hashOfElements,
  leavesNothing,
  type StorageWatch,
  watchStorages,
} from "./testing/memory.js";
export { runModule } from "./testing/process.js";
export { Random } from "./testing/random.js";
export type { ReferencePair } from "./testing/reference.js";
export { bitsOf, round, rounded, stepAt, stepsBetween } from "./testing/rounding.js";
export { isSmallRun, tooLarge } from "./testing/size.js";
