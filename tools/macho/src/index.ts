/** Checks Mach-O libraries for macOS on Apple silicon, and makes the loader that runs them on Linux. */
export { checkMachO, type Expectation } from "./check.js";
export { addonExpectation, kernelExpectation } from "./expectations.js";
export { buildLoader } from "./run/loader.js";
export { findMachine, type Machine } from "./run/machine.js";
export { type Outcome, runProgram } from "./run/run.js";
