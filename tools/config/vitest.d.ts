import type { ViteUserConfig } from "vitest/config";

/**
 * vitest options of every package: tests lie beside sources or in `test/`, one process a file, 30 s a test.
 *
 * @param overrides - `test` options merged over the preset's.
 * @example
 * export default tests({ testTimeout: 120_000 });
 */
export declare function tests(overrides?: ViteUserConfig["test"]): ViteUserConfig;

declare const preset: ViteUserConfig;
export default preset;
