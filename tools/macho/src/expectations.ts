import type { Expectation } from "./check.js";

const CXX = "/usr/lib/libc++.1.dylib";
const SYSTEM = "/usr/lib/libSystem.B.dylib";

/** The addon: small, two entry points, Node's functions from the process and all else from macOS. */
export const addonExpectation: Expectation = {
  maximumBytes: 300_000,
  installName: "@rpath/metile_runtime.node",
  exports: ["_napi_register_module_v1", "_node_api_module_get_api_version_v1"],
  libraries: [CXX, SYSTEM],
  flat: /^_napi_/,
};

/**
 * A library of CPU kernels, which needs no more than to copy and to clear memory.
 *
 * @param fileName - `norms-darwin-arm64.dylib`
 * @param exports - names of its kernels, with underscores
 */
export function kernelExpectation(fileName: string, exports: readonly string[]): Expectation {
  return { maximumBytes: 400 * 1024, installName: `@rpath/${fileName}`, exports, libraries: [SYSTEM] };
}
