import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/doctor/report.js";
import { type Outcome, packageFolder } from "../support/process.js";

const addon = fileURLToPath(new URL("../support/addon.cjs", import.meta.url));
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder in which the package is installed. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "metile-doctor-"));
  folders.push(folder);
  mkdirSync(join(folder, "node_modules/@metile"), { recursive: true });
  symlinkSync(packageFolder, join(folder, "node_modules/@metile/runtime"), "dir");
  return folder;
}

/** Adds a package of that name whose entry is a text. */
function addFamily(folder: string, name: string, entry: string): void {
  const home = join(folder, "node_modules/@metile", name);
  mkdirSync(home, { recursive: true });
  const manifest = { name: `@metile/${name}`, version: "0.9.0", type: "module", exports: "./index.js" };
  writeFileSync(join(home, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(home, "index.js"), entry);
}

/** A family with one pair, whose gradient is the cotangent times a factor. */
const family = (factor: number) => `
import { definePair, full } from "@metile/runtime";
const input = { shape: "(…, columns)", differentiable: true, dtypes: ["float32"], summary: "" };
export const same = definePair({
  contract: {
    name: "same", family: "norms", summary: "", formula: "", gradients: {}, source: "", inputs: { source: input },
    outputs: { output: { shape: "(…, columns)", summary: "" } }, options: {}, bounds: {}, determinism: "bitwise", tolerances: {},
  },
  forward: ({ inputs }) => ({ outputs: { output: inputs.source.clone() }, save: {}, state: null }),
  backward: ({ cotangents }) => ({ source: ${factor} === 1 ? cotangents.output : full(cotangents.output.shape, ${factor}) }),
});
`;

/** Runs \`metile doctor\` in a folder. */
function doctor(folder: string, parameters: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(METILE_|NODE_|VITEST)/.test(name)),
  );
  const command = join(folder, "node_modules/@metile/runtime/bin/metile.mjs");
  const child = spawn(process.execPath, [command, "doctor", ...parameters], { cwd: folder, env: { ...clean, ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

const statuses = ({ checks }: Report) => Object.fromEntries(checks.map(({ check, status }) => [check, status]));

describe("metile doctor on the CPU", () => {
  it("passes, prints a line a check and leaves no file", async () => {
    const folder = project();
    addFamily(folder, "norms", family(1));
    const { code, stdout, stderr } = await doctor(folder, ["--device", "cpu", "--quick"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const line of [
      /^ {2}system +passed +\S+ m?s {3}\S/m,
      /^ {2}families +passed .* norms 0\.9\.0$/m,
      /^ {2}kernels +passed .* variants? of 8 kernels \(runtime\)$/m,
      /^ {2}proof of same +passed .* 1 trial \(float32\)/m,
      /^ {2}worker thread +passed /m,
      /^\d+ passed, 0 failed, \d+ skipped/m,
      /^cpu: \d+ launches\.$/m,
    ])
      expect(stdout).toMatch(line);
    expect(existsSync(join(folder, "metile-report.json"))).toBe(false);
  });

  it("goes on when nobody reads on, as behind head", async () => {
    const folder = project();
    const command = join(folder, "node_modules/@metile/runtime/bin/metile.mjs");
    const child = spawn(process.execPath, [command, "doctor", "--device", "cpu", "--quick", "--report", "seen.json"], {
      cwd: folder,
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(existsSync(join(folder, "seen.json"))).toBe(true);
  });

  it("--json prints a report and nothing else", async () => {
    const folder = project();
    const { code, stdout, stderr } = await doctor(folder, ["--json", "--quick", "--report", "here.json"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Report: here\.json .*\n$/);
    const report = JSON.parse(stdout) as Report;
    expect(report).toMatchObject({ format: 1, passed: true, environment: {} });
    expect(statuses(report)).toMatchObject({
      system: "passed",
      families: "passed",
      memory: "passed",
      faults: "passed",
    });
    expect(stdout).not.toContain(folder);
    expect(readFileSync(join(folder, "here.json"), "utf8")).toBe(stdout);
  });

  it("ends with 1 for a family whose gradient is wrong, and writes the report", async () => {
    const folder = project();
    addFamily(folder, "norms", family(0.5));
    const { code, stdout } = await doctor(folder, ["--device", "cpu", "--quick"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/proof of same +failed .*\n +the derivative along a random direction is/);
    const report = JSON.parse(readFileSync(join(folder, "metile-report.json"), "utf8")) as Report;
    expect(statuses(report)).toMatchObject({ "proof of same": "failed", faults: "passed" });
  });

  it("ends with 1 for a family that does not load; the rest is looked at", async () => {
    const folder = project();
    addFamily(folder, "rope", 'throw new Error("no rope here");');
    const { code, stdout } = await doctor(folder, ["--quick"]);
    expect(code).toBe(1);
    expect(stdout).toContain("@metile/rope does not load: no rope here");
    expect(stdout).toMatch(/^ {2}faults +passed /m);
  });

  it("ends with 1 for a family that binds to another version of the runtime, and names both", async () => {
    const folder = project();
    addFamily(folder, "norms", family(1));
    const other = join(folder, "node_modules/@metile/norms/node_modules/@metile/runtime");
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
    for (const name of ["dist", "package.json"])
      cpSync(join(packageFolder, name), join(other, name), { recursive: true });
    for (const name of readdirSync(join(other, "dist")).filter((each) => each.endsWith(".js"))) {
      const file = join(other, "dist", name);
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(`"${version}"`, '"99.0.0"'));
    }
    const { code, stdout } = await doctor(folder, ["--quick", "--device", "cpu"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/families +failed .*\n +@metile\/norms does not load: DeviceError: .*99\.0\.0/);
    expect(stdout).toContain("npm ls @metile/runtime");
    const report = readFileSync(join(folder, "metile-report.json"), "utf8");
    expect(report).toContain("99.0.0");
    expect(report).not.toContain(folder);
  });

  it("ends with 2 for an option that it does not know", async () => {
    expect(await doctor(project(), ["--fast"])).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: "metile: Unknown option '--fast'. See: metile doctor --help\n",
    });
  });
});

describe("metile doctor where something is missing", () => {
  const absent = { METILE_ADDON: addon, FAKE_METAL: "Metal is part of macOS; this is linux-x64." };

  it.each([
    ["--device", ["--device", "metal"], {}],
    ["METILE_DEVICE", [], { METILE_DEVICE: "metal" }],
  ] as const)("a device asked for by %s is a failure with its reason", async (_, parameters, env) => {
    const { code, stdout } = await doctor(project(), ["--quick", ...parameters], { ...absent, ...env });
    expect(code).toBe(1);
    expect(stdout).toContain("metal was asked for: Metal is part of macOS; this is linux-x64");
  });

  it("a device that nobody asked for is not", async () => {
    const { code, stdout } = await doctor(project(), ["--quick"], absent);
    expect(code).toBe(0);
    expect(stdout).toContain("no metal: Metal is part of macOS; this is linux-x64");
  });

  it("a GPU that does not open is a failure with Metal's words", async () => {
    const { code, stdout } = await doctor(project(), ["--quick"], { METILE_ADDON: addon, FAKE_METAL: "broken" });
    expect(code).toBe(1);
    expect(stdout).toContain("received the GPU was lost");
  });

  it("without the addon it says how to get it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "metile-doctor-"));
    folders.push(folder);
    for (const name of ["bin", "dist", "package.json"])
      cpSync(join(packageFolder, name), join(folder, "node_modules/@metile/runtime", name), { recursive: true });
    const { code, stdout } = await doctor(folder, []);
    expect(code).toBe(1);
    expect(stdout).toMatch(/system +failed .*\n +DeviceError: @metile\/runtime: expected the native addon/);
    expect(stdout).toContain("npm install @metile/runtime-");
  });
});
