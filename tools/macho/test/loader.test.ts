import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { appleLinkArguments, findCompiler, runCommand, trimMachO } from "@metile/compiler";
import { beforeAll, describe, expect, it } from "vitest";
import { checkMachO } from "../src/check.js";
import { addonExpectation } from "../src/expectations.js";
import { buildLoader } from "../src/run/loader.js";
import { findMachine, type Machine } from "../src/run/machine.js";
import { packageRoot } from "../src/run/root.js";
import { runProgram } from "../src/run/run.js";
import { addonOf, stub } from "./packages.js";

// Without zig nothing is built for darwin-arm64, and nothing can be.
const built = existsSync(addonOf("darwin-arm64"));
const machine = built ? await findMachine() : { reason: "it needs zig" };
const reason = "reason" in machine ? ` (skipped: ${machine.reason})` : "";
const folder = join(packageRoot(), "node_modules", ".cache", "metile", "small");
const small = join(folder, "small.node");

/** Compiles `small.cc` for macOS with the flags of the addon. */
async function buildSmall(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { command, environment } = findCompiler({ prefer: "zig" });
  const headers = dirname(createRequire(import.meta.url).resolve("node-api-headers/package.json"));
  const object = join(folder, "small.o");
  const flags = [
    "-std=c++17",
    "-Os",
    "-g0",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-fno-sanitize=undefined",
  ];
  const frames = ["-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer"];
  const source = join(packageRoot(), "test", "small", "small.cc");
  const files = ["-isystem", join(headers, "include"), "-c", source, "-o", object];
  const target = ["-target", "aarch64-macos.13.0"];
  await runCommand({ line: [command, "c++", ...target, ...flags, ...frames, ...files], environment });
  const link = [...appleLinkArguments("zig", "small.node"), "-fallow-shlib-undefined", stub, object];
  await runCommand({ line: [command, ...link, `-femit-bin=${small}`], environment });
  writeFileSync(small, trimMachO(readFileSync(small), "small.node"));
}

describe.skipIf("reason" in machine)(`the loader${reason}`, () => {
  const environment = { METILE_ADDON: "", METILE_MACHO_ADDON: small };
  const program = join(packageRoot(), "test", "programs", "small.mjs");

  beforeAll(async () => {
    await buildSmall();
    environment.METILE_ADDON = await buildLoader(stub);
  });

  it("loads what the check calls good, but for variables of threads, which zig's linker does not bind", () => {
    const expectation = { ...addonExpectation, installName: "@rpath/small.node" };
    const faults = ["__tlv_bootstrap is missing, and nothing binds it"];
    expect(checkMachO(readFileSync(small), expectation)).toEqual(faults);
  });

  it("runs initialisers, gives each thread its variables, formats numbers, and lets exceptions pass", async () => {
    const { status, output, errors } = await runProgram(machine as Machine, program, environment);
    expect({ status, errors }).toEqual({ status: 0, errors: "" });
    const lines = (JSON.parse(output) as string).trim().split("\n");
    expect(lines).toEqual(["initialized 42", "threads 63 63 90", "text -7 2.50 1099511627776 x", "caught depth 3"]);
  });

  it("names the function that it does not have", async () => {
    const { signal, status, errors } = await runProgram(machine as Machine, program, environment, ["unknown"]);
    expect(errors).toContain("macho: _arc4random was called, which the loader does not have");
    expect(signal ?? status).not.toBe(0);
  });
});
