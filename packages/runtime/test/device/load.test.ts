import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { evaluate, packageFolder, reportErrors } from "../support/process.js";

const target = `${process.platform}-${process.arch}`;
const addon = `@metile/runtime-${target}`;
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with the built package installed and no platform package. */
function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), "metile-load-"));
  folders.push(folder);
  for (const name of ["dist", "package.json"])
    cpSync(join(packageFolder, name), join(folder, "node_modules/@metile/runtime", name), { recursive: true });
  return folder;
}

interface Report {
  readonly name: string;
  readonly message: string;
  readonly expected: string;
  readonly hint: string;
}

const use = `
import { tensor } from "@metile/runtime";
${reportErrors}
console.log(JSON.stringify([report(() => tensor([1])), report(() => tensor([1]))]));
`;

it("R35: importing loads no addon, using does", async () => {
  const loaded = await evaluate<boolean[]>(`
    const { device } = await import("@metile/runtime");
    await import("@metile/runtime/family");
    const loaded = () => process.report.getReport().sharedObjects.some((path) => path.includes("metile_runtime"));
    const before = loaded();
    device();
    console.log(JSON.stringify([before, loaded()]));`);
  expect(loaded).toEqual([false, true]);
});

it("METILE_ADDON names a path: one that is not there throws at first use, each time, and names the variable", async () => {
  const reports = await evaluate<Report[]>(use, { env: { METILE_ADDON: "/nonexistent/metile.node" } });
  for (const { name, message } of reports) {
    expect(name).toBe("DeviceError");
    expect(message).toContain("METILE_ADDON");
    expect(message).toContain("/nonexistent/metile.node");
  }
});

it("METILE_ADDON names the addon to load", async () => {
  const path = join(packageFolder, "npm", target, "metile_runtime.node");
  const [report] = await evaluate<{ result?: unknown }[]>(
    `import { tensor } from "@metile/runtime"; console.log(JSON.stringify([{ result: tensor([4]).device.name }]));`,
    { env: { METILE_ADDON: path } },
  );
  expect(report?.result).toBe("cpu");
});

it("METILE_ADDON= (empty) is as good as none", async () => {
  const [first] = await evaluate<{ result?: unknown }[]>(
    `import { device } from "@metile/runtime"; console.log(JSON.stringify([{ result: device("cpu").name }]));`,
    { env: { METILE_ADDON: "" } },
  );
  expect(first?.result).toBe("cpu");
});

it("R34: without the platform package the error has platform, architecture, libc, Node, package and command", async () => {
  const [report] = await evaluate<Report[]>(use, { folder: installed() });
  expect(report?.name).toBe("DeviceError");
  for (const fact of [process.platform, process.arch, process.version, addon, `npm install ${addon}`])
    expect(report?.message).toContain(fact);
  if (process.platform === "linux") expect(report?.message).toMatch(/libc (glibc|musl)/);
  expect(
    report?.message
      .replaceAll(process.version, "NODE")
      .replaceAll(target, "TARGET")
      .replace(`${process.platform}, ${process.arch}`, "PLATFORM"),
  ).toMatchInlineSnapshot(
    `"@metile/runtime: expected the native addon @metile/runtime-TARGET for PLATFORM, libc glibc, Node NODE, received no such package, or one without its addon. Install it with: npm install @metile/runtime-TARGET (lockfiles made on another platform and --omit=optional leave it out; then: rm -rf node_modules package-lock.json && npm install)."`,
  );
});

it("R34: a platform package whose addon does not load is told apart from a missing one, with the loader's words", async () => {
  const folder = installed();
  const place = join(folder, "node_modules", addon);
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, "package.json"),
    JSON.stringify({ name: addon, version: "0.1.0", main: "./metile_runtime.node" }),
  );
  writeFileSync(join(place, "metile_runtime.node"), "no library at all");
  const [report] = await evaluate<Report[]>(use, { folder });
  expect(report?.name).toBe("DeviceError");
  expect(report?.message).not.toContain("no such package");
  expect(report?.message).toMatch(/metile_runtime\.node/);
});

it("R34: a platform package of another artefact version is refused", async () => {
  const folder = installed();
  const place = join(folder, "node_modules", addon);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: addon, version: "9.0.0", main: "./addon.cjs" }));
  writeFileSync(join(place, "addon.cjs"), "module.exports = { artefactVersion: 999 };");
  const [report] = await evaluate<Report[]>(use, { folder });
  expect(report?.name).toBe("DeviceError");
  expect(report?.message).toContain("999");
  expect(report?.hint).toContain(addon);
});

// Platforms that this is not: the error speaks of what it finds in process and in Node's report.
const elsewhere: [name: string, setting: string, hint: RegExp][] = [
  [
    "x64 Node on an Apple silicon Mac",
    `Object.defineProperties(process, { platform: { value: "darwin" }, arch: { value: "x64" } });`,
    /arm64 build of Node/,
  ],
  [
    "Windows",
    `Object.defineProperty(process, "platform", { value: "win32" });`,
    /builds for linux-x64, linux-arm64, darwin-arm64/,
  ],
  [
    "musl",
    `Object.defineProperty(process, "platform", { value: "linux" });
    process.report.getReport = () => ({ header: {} });`,
    /musl.*glibc based image/,
  ],
];
it.each(elsewhere)("R34: on %s the error says what to do", async (_, setting, hint) => {
  const [report] = await evaluate<Report[]>(`${setting}\n${use}`, { folder: installed() });
  expect(report?.name).toBe("DeviceError");
  expect(report?.message).toMatch(hint);
});
