import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Compiler, findCompiler, hostLevels, hostTarget, libraryFileName } from "@metile/compiler";
import { describe, expect, it } from "vitest";
import { BudgetError, type BuildOptions, buildPackage, MslError } from "../src/index.js";
import { checkBudget } from "../src/package/budget.js";
import { chooseBuilds } from "../src/package/build.js";
import { RUNTIME, temporaryFolder } from "./kit.js";

const target = hostTarget() ?? "linux-x64";
const level = hostLevels().at(-1) ?? "v3";
const library = libraryFileName("tests", { target, level });

const add = `#include <metal_stdlib>
kernel void add(device const STORAGE* a [[buffer(0)]], device STORAGE* b [[buffer(1)]], constant uint& n [[buffer(2)]],
                uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  b[i] = STORAGE(float(a[i]) + float(b[i]));
}
`;

/** A package of the workspace's shape, outside it. */
function packageWith(files: Record<string, string>): string {
  return temporaryFolder({ "package.json": '{ "name": "@metile/tests", "type": "module" }', ...files });
}

const build = (folder: string, more: Partial<BuildOptions> = {}) =>
  buildPackage({ folder, runtime: RUNTIME, levels: ["host"], ...more });

describe("buildPackage", () => {
  it("writes bindings and libraries, compiles nothing twice, and removes what is stale", async () => {
    const folder = packageWith({ "src/add/add.metal": add, "cpu/tests-linux-x64-old.so": "", "cpu/other.txt": "" });
    const lines: string[] = [];
    const first = await build(folder, { log: (line) => lines.push(line.replace(/\d+ KB, \d+\.\d s/, "1 KB, 1.0 s")) });
    expect(first).toEqual({ kernels: 1, variants: 3, libraries: [library], compiled: [library] });
    expect(lines).toEqual([
      "tests: 1 file, 1 kernel, 3 variants; wrote generated/index.ts",
      `tests: cpu/${library} 1 KB, 1.0 s`,
    ]);
    expect(readdirSync(join(folder, "cpu")).sort()).toEqual(["other.txt", library]);
    const module = readFileSync(join(folder, "generated", "index.ts"), "utf8");
    expect(module).toContain('#line 1 "src/add/add.metal"');
    expect(module).toContain('file: "add.metal"');

    const before = statSync(join(folder, "cpu", library)).mtimeMs;
    const second = await build(folder);
    expect(second).toEqual({ ...first, compiled: [] });
    expect(statSync(join(folder, "cpu", library)).mtimeMs).toBe(before);

    writeFileSync(join(folder, "src/add/add.metal"), add.replace("// ", "").replace("if (i", "if  (i"));
    expect((await build(folder)).compiled).toEqual([library]);
    writeFileSync(join(folder, "src/add/add.metal"), add);
    expect((await build(folder)).compiled).toEqual([]);
  });

  it("makes the same bytes again, in another folder too", async () => {
    const bytes = async () => {
      const folder = packageWith({ "src/add/add.metal": add });
      await build(folder);
      return [readFileSync(join(folder, "cpu", library)), readFileSync(join(folder, "generated", "index.ts"))];
    };
    const [first, second] = [await bytes(), await bytes()];
    expect(second.map((file, index) => file.equals(first[index] as Buffer))).toEqual([true, true]);
  });

  it("shows a compiler's complaint in the kernel's text, once for all variants", async () => {
    const wrong = add.replace("float(b[i])", "flaot(b[i])");
    const folder = packageWith({ "src/add/add.metal": wrong });
    const error = await build(folder).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(MslError);
    const { file, line, column, message } = error as MslError;
    expect([file, line, column]).toEqual([
      "src/add/add.metal",
      5,
      (wrong.split("\n")[4]?.indexOf("flaot") as number) + 1,
    ]);
    expect(message).toContain("   5 |   b[i] = STORAGE(float(a[i]) + flaot(b[i]));\n");
    expect(message.match(/flaot\(b/g)).toHaveLength(1);
    expect(existsSync(join(folder, "cpu", library))).toBe(false);
  });

  it("refuses kernels and files of one name", async () => {
    const twice = packageWith({ "src/a.metal": add, "src/b.metal": add });
    await expect(build(twice)).rejects.toThrowErrorMatchingInlineSnapshot(`
      [MslError: src/b.metal:2:13: src/a.metal has a kernel of the same name
         2 | kernel void add(device const STORAGE* a [[buffer(0)]], device STORAGE* b [[buffer(1)]], constant uint& n [[buffer(2)]],
           |             ^]
    `);
    const files = packageWith({ "src/a/add.metal": add, "src/b/add.metal": add.replace("void add", "void sum") });
    await expect(build(files)).rejects.toThrowErrorMatchingInlineSnapshot(`
      [MslError: src/b/add.metal:1:1: src/a/add.metal has the same file name; a package's .metal files need different ones
         1 | #include <metal_stdlib>
           | ^]
    `);
  });

  it("leaves nothing of kernels that are gone", async () => {
    const folder = packageWith({ "src/index.ts": "", [`cpu/${library}`]: "", "generated/index.ts": "" });
    expect((await build(folder)).libraries).toEqual([]);
    expect([existsSync(join(folder, "generated")), readdirSync(join(folder, "cpu"))]).toEqual([false, []]);
  });
});

describe("the choice of builds", () => {
  const compiler = (kind: Compiler["kind"]): Compiler => ({ ...findCompiler(), kind });

  it("is every target with zig, the best of the host with a system compiler", () => {
    expect(chooseBuilds(compiler("zig"))).toHaveLength(4);
    expect(chooseBuilds(compiler("gcc"))).toEqual([{ target, level }]);
    expect(chooseBuilds(compiler("zig"), ["arm64"]).map((one) => one.target)).toEqual(["linux-arm64", "darwin-arm64"]);
    expect(chooseBuilds(compiler("zig"), ["host"])).toEqual([{ target, level }]);
    expect(() => chooseBuilds(compiler("zig"), ["v5"])).toThrowErrorMatchingInlineSnapshot(
      `[RangeError: unknown level v5; expected v3, v4, arm64 or host]`,
    );
  });
});

describe("the budget", () => {
  it("is 400 KB and 20 s of a processor for each library", () => {
    const fits = { library: "a.so", bytes: 400 * 1024, seconds: 20 };
    expect(() => checkBudget([fits])).not.toThrow();
    const over = [
      fits,
      { library: "b.so", bytes: 400 * 1024 + 1, seconds: 1 },
      { library: "c.so", bytes: 1, seconds: 20.1 },
    ];
    expect(() => checkBudget(over)).toThrow(BudgetError);
    expect(() => checkBudget(over)).toThrowErrorMatchingInlineSnapshot(`
      [BudgetError: Libraries are over their budget:
        b.so: 401 KB of 400 KB
        c.so: 20.1 s of 20 s
      Fewer type macros in a kernel make fewer variants; options belong into constants.]
    `);
  });
});
