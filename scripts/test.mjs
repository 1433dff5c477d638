/** `pnpm test`: every package's tests through turbo, then one line that adds them up, cached runs included. */
import { clearReports, closingLine, readReports } from "./reports.mjs";
import { select, turbo } from "./turbo.mjs";

clearReports();
const status = turbo([
  "run",
  "test",
  "test:metal",
  "--continue=dependencies-successful",
  ...select(process.argv.slice(2)),
]);

const total = { passed: 0, failed: 0, skipped: 0 };
console.log();
for (const { name, ...counts } of readReports()) {
  for (const key of Object.keys(total)) total[key] += counts[key];
  if (counts.passed + counts.failed + counts.skipped > 0) console.log(`${name} · ${closingLine(counts)}`);
}
if (status !== 0 && total.failed === 0) {
  // A build broke, or a test process died before it could report.
  console.log("a task failed outside its tests: see above; counted as one failure");
  total.failed = 1;
}
console.log(closingLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
