/** Checks Mach-O libraries for macOS on Apple silicon, and makes the loader that runs them on Linux. */
export { checkMachO, type Expectation } from "./check.js";
export { addonExpectation, kernelExpectation } from "./expectations.js";
