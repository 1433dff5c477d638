import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "../../src/cli/command.js";
import { devices } from "../../src/doctor/checks/devices.js";
import { doctorCommand } from "../../src/doctor/command.js";
import { Findings, skipped } from "../../src/doctor/outcome.js";
import type { Report } from "../../src/doctor/report.js";
import type { Checks } from "../../src/doctor/run.js";
import type { DeviceCheck, Outcome } from "../../src/doctor/types.js";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const good: DeviceCheck = { name: "good", run: () => new Findings().outcome("all well", { seen: 3 }) };
const absent: DeviceCheck = { name: "absent", run: () => skipped("not here") };
const bad: DeviceCheck = {
  name: "bad",
  run() {
    const findings = new Findings();
    findings.fail("first line\nsecond line");
    findings.warn("odd");
    return findings.outcome("one thing", { worst: Number.POSITIVE_INFINITY });
  },
};
const broken: DeviceCheck = {
  name: "broken",
  run(): Outcome {
    throw new RangeError("broke off");
  },
};

const checksOf = (...device: DeviceCheck[]): Checks => ({ machine: [devices], device: () => device });

async function run(checks: Checks, ...parameters: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "metile-doctor-"));
  folders.push(folder);
  let [out, error] = ["", ""];
  const code = await runCommand({ doctor: doctorCommand(checks) }, ["doctor", "--device", "cpu", ...parameters], {
    folder,
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
  });
  return { code, out: out.replaceAll(/ +\d+(\.\d)? m?s\b/g, " …"), error, folder, files: readdirSync(folder) };
}

const reportIn = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Report;

describe("exit code", () => {
  it("0 when checks pass or are skipped; no report is left", async () => {
    const { code, files, error } = await run(checksOf(good, absent));
    expect({ code, files, error }).toEqual({ code: 0, files: [], error: "" });
  });

  it("1 when one fails; the report lies in the folder", async () => {
    const { code, files, folder, out } = await run(checksOf(good, bad));
    expect({ code, files }).toEqual({ code: 1, files: ["metile-report.json"] });
    expect(out).toContain("Report: metile-report.json");
    expect(reportIn(folder, "metile-report.json")).toMatchObject({ passed: false, counts: { failed: 1, warnings: 1 } });
  });

  it("1 when one breaks off; those after it run", async () => {
    const { code, out } = await run(checksOf(broken, good));
    expect(code).toBe(1);
    expect(out).toMatch(/broken .*\n +RangeError: broke off\n +good +passed/);
  });

  it("2 for a report that cannot be written where it was asked for", async () => {
    const { code, error } = await run(checksOf(good), "--report", "no/such/folder/report.json");
    expect(code).toBe(2);
    expect(error).toMatch(/^metile: The report could not be written to 'no\/such\/folder\/report.json': ENOENT.*\n$/);
  });
});

it("prints a list", async () => {
  const { out } = await run(checksOf(good, absent, bad));
  const list = out.slice(out.indexOf("\ncpu: ")).split("\n").slice(2).join("\n");
  expect(list).toMatchInlineSnapshot(`
    "  good                   passed …   all well
      absent                 skipped …   not here
      bad                    failed …   1 problem
          first line
            second line
          warning: odd

    2 passed, 1 failed, 1 skipped, 1 warning, in ….
    cpu: 0 launches.
    Report: metile-report.json (no names and no folders of yours are in it; attach it to an issue)
    "
  `);
});

describe("report", () => {
  it("goes where --report says, though nothing failed", async () => {
    const { code, files, folder, out } = await run(checksOf(good), "--report", "mine.json");
    expect({ code, files }).toEqual({ code: 0, files: ["mine.json"] });
    expect(out).toContain("Report: mine.json");
    expect(reportIn(folder, "mine.json").checks.map(({ check }) => check)).toEqual(["devices", "good"]);
  });

  it("--json prints it alone, with its documented keys; numbers that are no JSON are words", async () => {
    const { out, error } = await run(checksOf(good, bad), "--json");
    const report = JSON.parse(out.replaceAll(" …", "")) as Report;
    expect(Object.keys(report)).toEqual([
      "format",
      "created",
      "runtime",
      "options",
      "environment",
      "passed",
      "counts",
      "seconds",
      "checks",
      "devices",
    ]);
    expect(report.checks[2]).toMatchObject({
      check: "bad",
      device: "cpu",
      status: "failed",
      problems: ["first line\nsecond line"],
      details: { worst: "Infinity" },
    });
    expect(error).toContain("Report: metile-report.json");
  });

  it("holds variables called METILE_* and no others, without folders", async () => {
    vi.stubEnv("METILE_CACHE", "/home/somebody/cache");
    const { out } = await run(checksOf(good), "--json");
    const { environment } = JSON.parse(out) as Report;
    expect(environment.METILE_CACHE).toBe("…/cache");
    expect(Object.keys(environment).filter((name) => !name.startsWith("METILE_"))).toEqual([]);
  });
});

describe("command line", () => {
  const line = async (...parameters: string[]) => {
    let [out, error] = ["", ""];
    const context = {
      folder: ".",
      out: (text: string) => {
        out += text;
      },
      error: (text: string) => {
        error += text;
      },
    };
    return { code: await runCommand({ doctor: doctorCommand(checksOf(bad)) }, parameters, context), out, error };
  };

  it.each([
    [[], "metile: No command was given. See: metile --help\n"],
    [["cure"], "metile: Unknown command 'cure'. See: metile --help\n"],
    [["toString"], "metile: Unknown command 'toString'. See: metile --help\n"],
    [["--quick"], "metile: Unknown option '--quick'. See: metile --help\n"],
    [["doctor", "--fast"], "metile: Unknown option '--fast'. See: metile doctor --help\n"],
    [["doctor", "cpu"], "metile: Unexpected argument 'cpu'. See: metile doctor --help\n"],
    [
      ["doctor", "--device", "gpu"],
      "metile: There is no device called 'gpu'; devices are metal, cuda, cpu. See: metile doctor --help\n",
    ],
    [["doctor", "--report", ""], "metile: --report wants the name of a file. See: metile doctor --help\n"],
    [["doctor", "--quick=yes"], "metile: Option '--quick' does not take an argument. See: metile doctor --help\n"],
  ])("%j ends with 2 and one line", async (parameters, message) => {
    expect(await line(...parameters)).toEqual({ code: 2, out: "", error: message });
  });

  it.each([[["--help"]], [["-h"]], [["doctor", "--help"]], [["doctor", "--quick", "-h"]], [["--version"]]])(
    "%j prints and ends with 0",
    async (parameters) => {
      const { code, out, error } = await line(...parameters);
      expect({ code, error }).toEqual({ code: 0, error: "" });
      expect(out).not.toBe("");
    },
  );
});
