import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkMachO } from "../src/check.js";
import { addonExpectation, kernelExpectation } from "../src/expectations.js";
import { readBinds } from "../src/file/binds.js";
import { rangeOf, readImage } from "../src/file/image.js";
import { cxxNames } from "../src/run/loader.js";
import { packageRoot } from "../src/run/root.js";
import { addonOf, elfExports, kernelLibraries, stub } from "./packages.js";

const addon = addonOf("darwin-arm64");
// Without zig only this machine's addon and libraries are built.
const built = existsSync(addon) && process.platform === "linux";

describe.skipIf(!built)("what is built for darwin-arm64", () => {
  it("has a good addon below 300 KB", () => {
    expect(checkMachO(readFileSync(addon), addonExpectation)).toEqual([]);
  });

  it("has good libraries of kernels, with the same kernels as on Linux", () => {
    const libraries = kernelLibraries();
    expect(libraries.map(({ name }) => name)).toContain("norms-darwin-arm64.dylib");
    for (const { name, path, sibling } of libraries) {
      const names = elfExports(sibling);
      expect(names).toContain("metile_artefact_version");
      const expectation = kernelExpectation(
        name,
        names.map((symbol) => `_${symbol}`),
      );
      expect(checkMachO(readFileSync(path), expectation), name).toEqual([]);
    }
  });

  it("takes from libc++ only what the stub lists", () => {
    const file = readFileSync(addon);
    const image = readImage(file);
    const library = image.libraries.indexOf("/usr/lib/libc++.1.dylib") + 1;
    const dyld = image.dyld;
    if (dyld === null) throw new Error("no tables for dyld");
    const binds = [...readBinds(rangeOf(file, dyld.binds), false), ...readBinds(rangeOf(file, dyld.lazyBinds), true)];
    const taken = binds.filter((bind) => bind.library === library).map(({ name }) => name);
    const listed = new Set(cxxNames(readFileSync(stub, "utf8")).match(/(?<=")__[^"]*(?="\))/g));
    expect(taken).toContain("___cxa_throw");
    expect(taken.filter((name) => !listed.has(name))).toEqual([]);
  });

  it("is told good by the command, which fails for others", () => {
    const command = join(packageRoot(), "bin", "metile-macho.mjs");
    expect(execFileSync(process.execPath, [command, "check", addon], { encoding: "utf8" })).toContain("good");
    expect(() => execFileSync(process.execPath, [command, "check", process.execPath], { stdio: "pipe" })).toThrow(
      /no 64-bit Mach-O file|status 1|Command failed/,
    );
  });
});
