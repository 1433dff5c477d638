import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildLoader } from "../src/run/loader.js";
import { findMachine, type Machine } from "../src/run/machine.js";
import { packageRoot } from "../src/run/root.js";
import { type Outcome, runProgram } from "../src/run/run.js";
import { prepareMetal } from "./metal.js";
import { addonOf, kernelLibraries, stub } from "./packages.js";

const programs = join(packageRoot(), "test", "programs");
const addon = addonOf("darwin-arm64");
const built = existsSync(addon) && process.platform === "linux";
const machine = built ? await findMachine() : { reason: "the addon for darwin-arm64 is not built here: it needs zig" };
const metal = "reason" in machine ? machine : prepareMetal(addon);

/** Relative to the largest value: rounding to the type, and sums in float32. */
const tolerances: Record<string, number> = { float32: 2e-6, float16: 1e-3, bfloat16: 8e-3 };

interface NormResults {
  readonly device: string;
  readonly platform: string;
  readonly arch: string;
  readonly results: readonly { name: string; distance: number }[];
}

let loader = "";

/** A program with the darwin-arm64 addon, on the CPU unless told otherwise. */
function run(program: string, environment: Record<string, string> = {}): Promise<Outcome> {
  return runProgram(machine as Machine, join(programs, program), {
    METILE_ADDON: loader,
    METILE_MACHO_ADDON: addon,
    METILE_MACHO_RENAME: "-linux-arm64.so=-darwin-arm64.dylib",
    METILE_MACHO_TRACE: "1",
    METILE_DEVICE: "cpu",
    ...environment,
  });
}

/** What a program printed, after an end without errors. */
function resultOf<Result>({ status, signal, output, errors, seconds }: Outcome): Result {
  const unexpected = errors.split("\n").filter((line) => line !== "" && !line.startsWith("macho: loaded "));
  expect({ status, signal, unexpected }).toEqual({ status: 0, signal: null, unexpected: [] });
  console.log(`${seconds.toFixed(1)} s`);
  return JSON.parse(output) as Result;
}

function checkNorms({ results }: NormResults, gradientTolerance = 2e-6): void {
  expect(results).toHaveLength(30);
  for (const { name, distance } of results) {
    const [, dtype = "", what = ""] = name.split(" ");
    expect(distance, name).toBeLessThan(what.startsWith("d") ? gradientTolerance : (tolerances[dtype] ?? 0));
  }
}

const nameOf = (title: string, absent: object) => ("reason" in absent ? `${title} (skipped: ${absent.reason})` : title);

describe.skipIf("reason" in machine)(nameOf("the darwin-arm64 addon under qemu", machine), () => {
  beforeAll(async () => {
    loader = await buildLoader(stub);
  });

  it("computes norms forward and backward with the darwin-arm64 libraries", async () => {
    const outcome = await run("norms.mjs");
    const results = resultOf<NormResults>(outcome);
    expect(results).toMatchObject({ device: "cpu", platform: "linux", arch: "arm64" });
    checkNorms(results);
    const libraries = kernelLibraries().map(({ path }) => path);
    for (const path of [addon, ...libraries.filter((library) => /(norms|runtime)-darwin/.test(library))]) {
      expect(outcome.errors).toContain(`macho: loaded ${path}\n`);
    }
  });

  it("throws errors from C++ to JavaScript, and works on", async () => {
    const results = resultOf<Record<string, { kind: string; code: string | null; message: string }>>(
      await run("errors.mjs"),
    );
    const kinds = Object.fromEntries(Object.entries(results).map(([name, { kind, code }]) => [name, code ?? kind]));
    expect(kinds).toEqual({
      "a storage that does not exist": "RangeError",
      "a negative size": "RangeError",
      "more memory than a limit": "METILE_MEMORY",
      "a library that does not exist": "METILE_LIBRARY",
      "a library that is none": "METILE_LIBRARY",
      "a kernel of no library": "RangeError",
      "words that end too early": "RangeError",
      "a write past the end": "RangeError",
      "a text for a number": "TypeError",
      "a device of NVIDIA": "METILE_DEVICE",
      "a weight of another width": "ShapeError",
    });
    expect(results["a write past the end"]?.message).toContain("write of 64 bytes at offset 60");
  });

  it("serves four workers at once, with the bits of one alone", async () => {
    const { together, alone } = resultOf<{ together: string[]; alone: string[] }>(await run("workers.mjs"));
    expect(new Set(together).size).toBe(4);
    expect(together).toEqual(alone);
  });

  it("survives workers that are terminated in mid-flight", async () => {
    expect(resultOf(await run("terminate.mjs"))).toEqual({ terminated: 6, same: true });
  });

  it("says so when it cannot be loaded", async () => {
    const missing = await run("norms.mjs", { METILE_MACHO_ADDON: "/nowhere/addon.node" });
    expect(missing.status).toBe(1);
    expect(missing.errors).toContain("no such file: /nowhere/addon.node");
  });
});

describe.skipIf("reason" in metal)(nameOf("Metal in the darwin-arm64 addon under qemu", metal), () => {
  const environment = "reason" in metal ? {} : metal.environment;

  it("computes norms forward and backward on the stand-in's GPU", async () => {
    const results = resultOf<NormResults>(await run("norms.mjs", environment));
    expect(results).toMatchObject({ device: "metal", platform: "linux", arch: "arm64" });
    checkNorms(results, 1e-5);
  });

  it("serves four workers at once", async () => {
    const { together, alone } = resultOf<{ together: string[]; alone: string[] }>(
      await run("workers.mjs", environment),
    );
    expect(together).toEqual(alone);
  });

  it("survives workers that are terminated in mid-flight", async () => {
    expect(resultOf(await run("terminate.mjs", environment))).toEqual({ terminated: 6, same: true });
  });
});

const elf = addonOf("linux-arm64");
const elfMachine = existsSync(elf) ? machine : { reason: "the addon for linux-arm64 is not built here: it needs zig" };

describe.skipIf("reason" in elfMachine)(nameOf("the linux-arm64 addon under qemu", elfMachine), () => {
  it("computes norms forward and backward, as far from float64 as the darwin-arm64 one", async () => {
    const outcome = await run("norms.mjs", { METILE_ADDON: elf, METILE_MACHO_RENAME: "" });
    const results = resultOf<NormResults>(outcome);
    checkNorms(results);
    expect(outcome.errors).toBe(""); // the loader had no part in it
    expect(results).toEqual(resultOf(await run("norms.mjs")));
  });
});
