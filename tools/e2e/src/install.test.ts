import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, inject, test } from "vitest";
import { copiesOf } from "./installed.js";
import { releases } from "./nodes.js";
import { expectedResult, importThenUse, program } from "./program.js";
import { createSandbox, type Sandbox } from "./sandbox.js";

const platformPackage = `@metile/runtime-${process.platform}-${process.arch}`;
let sandbox: Sandbox | undefined;

afterEach(async () => {
  await sandbox?.remove();
  sandbox = undefined;
});

/** Runs the program and compares all of its numbers at float32's rounding. */
async function expectRight(made: Sandbox): Promise<void> {
  const { status, stdout, stderr } = await made.script(program);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const result = JSON.parse(stdout) as ReturnType<typeof expectedResult> & { device: string };
  expect(result.device).toBe(process.platform === "darwin" ? "metal" : "cpu");
  for (const [name, values] of Object.entries(expectedResult())) {
    const received = result[name as "output" | "source" | "weight"];
    expect(received).toHaveLength(values.length);
    for (const [index, value] of values.entries()) expect(received[index], `${name}[${index}]`).toBeCloseTo(value, 6);
  }
}

describe.each(releases)("$name", ({ executable }) => {
  test("npm install @metile/norms runs forward and backward, without compiler or scripts, on one runtime", async () => {
    sandbox = await createSandbox(inject("origin"), await executable());
    for (const missing of ["cc", "c++", "clang", "python3", "make"]) {
      expect(await sandbox.command("sh", ["-c", `command -v ${missing}`])).toMatchObject({ stdout: "" });
    }
    await sandbox.install("npm", ["@metile/norms"]);
    await expectRight(sandbox);
    expect(copiesOf(sandbox.project, "@metile/runtime")).toHaveLength(1);
  });

  test("without the platform package importing works, and using a device tells how to get it", async () => {
    const node = await executable();
    sandbox = await createSandbox(inject("origin"), node);
    await sandbox.install("npm", ["@metile/norms"]);
    await rm(join(sandbox.project, "node_modules", platformPackage), { recursive: true });
    const { status, stdout, stderr } = await sandbox.script(importThenUse);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [imported, name, ...message] = stdout.split("\n");
    expect(imported).toBe("imported function");
    expect(name).toBe("DeviceError");
    const { stdout: version } = await sandbox.command("node", ["--version"]);
    for (const fact of [
      process.platform,
      process.arch,
      ...(process.platform === "linux" ? ["glibc"] : []),
      `Node ${version.trim()}`,
      platformPackage,
      `npm install ${platformPackage}`,
    ]) {
      expect(message.join("\n")).toContain(fact);
    }
  });
});

test("pnpm add @metile/norms @metile/runtime runs forward and backward on one runtime", async () => {
  sandbox = await createSandbox(inject("origin"), process.execPath);
  await sandbox.install("pnpm", ["@metile/norms", "@metile/runtime"]);
  await expectRight(sandbox);
  expect(copiesOf(sandbox.project, "@metile/runtime")).toHaveLength(1);
});

test("several families share one runtime", async () => {
  sandbox = await createSandbox(inject("origin"), process.execPath);
  await sandbox.install("npm", ["@metile/norms", "@metile/losses", "@metile/activations"]);
  await expectRight(sandbox);
  expect(copiesOf(sandbox.project, "@metile/runtime")).toHaveLength(1);
});

test("a platform package of another machine is not installed", async () => {
  sandbox = await createSandbox(inject("origin"), process.execPath);
  await sandbox.install("npm", ["@metile/norms"]);
  const all = ["linux-x64", "linux-arm64", "darwin-arm64"].map((target) => `@metile/runtime-${target}`);
  const present = all.filter((name) => copiesOf(sandbox?.project ?? "", name).length > 0);
  expect(present).toEqual([platformPackage]);
});
