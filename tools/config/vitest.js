import { defineConfig, mergeConfig } from "vitest/config";

/** Where a package's JSON report lies; `pnpm test` adds these up, cached runs included. */
const report = ".cache/tests.json";

const preset = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // A process a file: native state (devices, loaded libraries) is never shared between files, and a
    // crash names its file. Worker threads inside a test are then ordinary workers of that process.
    pool: "forks",
    // turbo already runs packages side by side, and kernels use every core.
    maxWorkers: 2,
    // Where a stand-in compiles kernels as it meets them, a test may wait for dozens.
    testTimeout: process.env.METILE_METAL_STANDIN ? 180_000 : 30_000,
    hookTimeout: 60_000,
    // A stuck stream must end the run with an error, not hang it.
    teardownTimeout: 10_000,
    reporters: ["default", "json"],
    outputFile: { json: report },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-d.ts", "**/*.bench.ts"],
    },
  },
});

/** The preset with a package's own options merged over it. */
export const tests = (overrides = {}) => mergeConfig(preset, { test: overrides });

export default preset;
