import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { standinEnvironment } from "@metile/standin";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createSandbox, type Sandbox } from "./sandbox.js";

interface Report {
  readonly passed: boolean;
  readonly environment: Record<string, string>;
  readonly checks: readonly {
    readonly check: string;
    readonly device?: string;
    readonly status: string;
    readonly summary: string;
    readonly details: Record<string, unknown>;
  }[];
}

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox(inject("origin"), process.execPath);
  await sandbox.install("npm", ["@metile/norms", "@metile/losses"]);
});

afterAll(async () => {
  await sandbox.remove();
});

/** Runs `npx metile doctor` where a user would, and reads its report. */
async function doctor(parameters: string[], variables: Record<string, string> = {}): Promise<Report> {
  const command = ["metile", "doctor", ...parameters, "--report", "report.json"];
  const { status, stdout, stderr } = await sandbox.command("npx", command, variables);
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("Report: report.json");
  const text = await readFile(join(sandbox.project, "report.json"), "utf8");
  expect(text).not.toContain(dirname(sandbox.project));
  return JSON.parse(text) as Report;
}

/** Every check of a device by its name. */
function statuses({ checks }: Report, device: string): Record<string, string> {
  return Object.fromEntries(
    checks.filter((each) => each.device === device).map(({ check, status }) => [check, status]),
  );
}

const passed = {
  kernels: "passed",
  memory: "passed",
  "runtime kernels": "passed",
  "proof of rmsNorm": "passed",
  "proof of layerNorm": "passed",
  "proof of addRmsNorm": "passed",
  faults: "passed",
  "worker thread": "passed",
  "event loop": "passed",
};

test("npx metile doctor passes on the CPU and finds the installed families", async () => {
  const report = await doctor(["--device", "cpu", "--quick"]);
  expect(report).toMatchObject({ passed: true, environment: {} });
  expect(statuses(report, "cpu")).toEqual({ "Metal ABI": "skipped", ...passed });
  const families = report.checks.find(({ check }) => check === "families");
  expect(Object.keys(families?.details.installed as object)).toEqual(["norms", "losses"]);
});

test("pnpm exec finds the command too", async () => {
  const { status, stdout } = await sandbox.command("pnpm", ["exec", "metile", "--version"]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

describe.skipIf(process.platform !== "linux")("on the stand-in for Metal", () => {
  const emulator = dirname(createRequire(import.meta.url).resolve("@metile/emulator/package.json"));
  const server = [process.execPath, join(emulator, "dist/server.js")];

  test("npx metile doctor --device metal compiles and proves the installed kernels, and says that no GPU ran", async () => {
    const report = await doctor(["--device", "metal", "--quick"], standinEnvironment({ server }));
    expect(report.passed).toBe(true);
    expect(statuses(report, "metal")).toEqual({ "Metal ABI": "passed", ...passed });
    expect(report.checks.find(({ check }) => check === "devices")?.summary).toContain("stand-in: no GPU ran");
    expect(report.environment.METILE_METAL_STANDIN).toBe("…/libmetile_standin.so");
  });

  test("a Mac without a GPU is a failure that says so", async () => {
    const variables = standinEnvironment({ server, devices: "none" });
    const { status, stdout } = await sandbox.command("npx", ["metile", "doctor", "--quick"], variables);
    expect(status).toBe(1);
    expect(stdout).toMatch(/metal was asked for: .+/);
  });
});
