import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand } from "../../src/cli/command.js";
import { allChecks } from "../../src/doctor/checks/index.js";
import { doctorCommand } from "../../src/doctor/command.js";
import type { Report } from "../../src/doctor/report.js";
import { device } from "../../src/index.js";
import { intercept } from "../../src/testing/intercept.js";

const folder = mkdtempSync(join(tmpdir(), "metile-doctor-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The report of the doctor's checks of Metal, run here. */
async function examine(): Promise<Report> {
  let out = "";
  const context = {
    folder,
    out: (text: string) => {
      out += text;
    },
    error: () => {},
  };
  await runCommand({ doctor: doctorCommand(allChecks) }, ["doctor", "--device", "metal", "--quick", "--json"], context);
  return JSON.parse(out) as Report;
}

const about = (report: Report, name: string) => report.checks.find(({ check }) => check === name);

// tools/e2e runs the whole command on the stand-in; here are the mistakes that only a GPU's checks can meet.
describe.skipIf(!process.env.METILE_METAL_STANDIN)(
  "the doctor on the stand-in (where METILE_METAL_STANDIN is set)",
  () => {
    it("passes, tells that no GPU ran, and counts the GPU's time", async () => {
      const report = await examine();
      expect(report.checks.flatMap(({ problems }) => problems)).toEqual([]);
      expect(report.passed).toBe(true);
      expect(about(report, "devices")?.summary).toContain("stand-in: no GPU ran");
      expect(about(report, "Metal ABI")?.details.checked).toBeGreaterThan(40);
      expect(about(report, "faults")?.details.compilerMessage).toContain("doctor.metal:7");
      expect(report.devices.metal?.gpuSeconds).toBeGreaterThan(0);
      expect(report.devices.metal?.commandBuffers).toBeGreaterThan(0);
    }, 300_000);

    it("lists a kernel that does not compile with the compiler's words", async () => {
      const restore = intercept(device("metal").native, {
        kernel: (real) => (library, entry, variant) => {
          if (entry === "column_sums") return real(library, "no_such_kernel", variant);
          return real(library, entry, variant);
        },
      });
      const report = await examine().finally(restore);
      const kernels = about(report, "kernels");
      expect(kernels?.status).toBe("failed");
      expect(kernels?.problems).toHaveLength(1);
      expect(kernels?.problems[0]).toMatch(
        /^@metile\/runtime: column_sums of column_sums\.metal \(STORAGE=float .*\)\n./,
      );
    }, 300_000);
  },
);
