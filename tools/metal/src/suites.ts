// Runs families' own test suites with METILE_DEVICE=metal on the stand-in: `node dist/suites.js [norms …]`, all by default.
//
// Reports lie in .cache/suite-<family>.json, where the root's `pnpm test` adds them up.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasStandin, metalEnvironment } from "./index.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const reports = fileURLToPath(new URL("../.cache/", import.meta.url));

/** Each family's tests that run on any device; those that run kernels in the emulator by themselves need no second run. */
const suites: Readonly<Record<string, readonly string[]>> = {
  runtime: ["src", "test/tensor", "test/pair", "test/rows", "test/fault", "test/device/copies", "test/memory/lifetime"],
  norms: ["src", "test", "--exclude", "test/emulated*"],
};

const require = createRequire(import.meta.url);
const vitest = join(dirname(require.resolve("vitest/package.json")), "vitest.mjs");
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(", ")}; there are ${Object.keys(suites).join(", ")}.`);
  process.exit(2);
}
if (!hasStandin) {
  console.log("The stand-in for Metal runs on Linux: nothing to do here.");
  process.exit(0);
}
mkdirSync(reports, { recursive: true });
for (const family of asked.length > 0 ? asked : Object.keys(suites)) {
  const report = join(reports, `suite-${family}.json`);
  const parameters = [vitest, "run", ...(suites[family] ?? []), `--outputFile.json=${report}`];
  const { status, error } = spawnSync(process.execPath, parameters, {
    cwd: join(root, "packages", family),
    env: { ...process.env, ...metalEnvironment() },
    stdio: "inherit",
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exitCode = 1;
}
