/** The JSON reports that vitest leaves in each package, and their sum. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "./turbo.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Where vitest's preset (tools/config) writes, and where turbo restores to: the package's own tests, and suites of other
 * packages that it runs (tools/metal).
 */
const reports = /^(tests|suite-\w+)\.json$/;

const files = () =>
  ["packages", "tools"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name, ".cache")))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => reports.test(name))
        .map((name) => join(folder, name)),
    );

/** Removes the reports of earlier runs, so that what is added up belongs to this one. */
export function clearReports() {
  for (const file of files()) rmSync(file, { force: true });
}

/**
 * Counts of one report.
 *
 * A file that failed as a whole (an import that threw, a hook) has no failed test of its own: it counts as one.
 *
 * @param {any} report - vitest's JSON report.
 * @returns {Counts}
 */
export function countReport(report) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report.testResults) {
    let failedHere = 0;
    for (const { status } of file.assertionResults) {
      if (status === "passed") counts.passed += 1;
      else if (status === "failed") failedHere += 1;
      else counts.skipped += 1;
    }
    counts.failed += file.status === "failed" ? Math.max(1, failedHere) : failedHere;
  }
  return counts;
}

/**
 * Counts of each package that left a report.
 *
 * @returns {({ name: string } & Counts)[]}
 */
export function readReports() {
  return files().map((file) => {
    const { name } = JSON.parse(readFileSync(join(dirname(file), "../package.json"), "utf8"));
    const suite = /suite-(\w+)/.exec(basename(file))?.[1];
    return {
      name: suite === undefined ? name : `${name}: ${suite}`,
      ...countReport(JSON.parse(readFileSync(file, "utf8"))),
    };
  });
}

/**
 * The line that ends a test run.
 *
 * @param {Counts} counts
 * @returns {string} Such as `12 passed, 0 failed` or `12 passed, 1 failed, 3 skipped`.
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
