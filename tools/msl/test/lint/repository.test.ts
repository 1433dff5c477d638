import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCompiler } from "../../src/index.js";
import { lintPackage } from "../../src/lint/lint.js";
import { LAUNCH_MACROS } from "../../src/lint/macros.js";
import { readPackage } from "../../src/package/package.js";
import { preprocess } from "../../src/preprocess/preprocess.js";
import { RUNTIME } from "../kit.js";

const PACKAGES = join(RUNTIME, "..");

const compiler = findCompiler({ prefer: "zig" });

const packages = readdirSync(PACKAGES).filter((name) => {
  const sources = join(PACKAGES, name, "src");
  return (
    existsSync(sources) && readdirSync(sources, { recursive: true }).some((file) => String(file).endsWith(".metal"))
  );
});

describe("the kernels of this repository are clean", () => {
  it.each(packages)("%s", { timeout: 300_000 }, async (name) => {
    const { views, errors } = await lintPackage({ folder: join(PACKAGES, name), runtime: RUNTIME, compiler });
    expect(errors.map(({ message }) => message)).toEqual([]);
    expect(views).toBeGreaterThan(0);
  });
  // Its compiler would refuse the whole file, kernels of other types too.
  it.each(packages)("%s: a text compiled without bfloat has none, so that it compiles on macOS 13", (name) => {
    const { files, loader } = readPackage(join(PACKAGES, name), RUNTIME);
    for (const file of files) {
      const types = Object.fromEntries(file.typeMacros.map((macro) => [macro.name, "float"]));
      const defines = { __METAL_VERSION__: "300", ...types, ...LAUNCH_MACROS[0] };
      const { tokens } = preprocess(file.source, { loader, defines, opaque: new Set(), whole: true });
      const found = tokens.filter(({ text }) => text.startsWith("bfloat"));
      expect(found.map(({ source, start }) => `${source.name}:${source.position(start).line}`)).toEqual([]);
    }
  });
  it("the runtime's are among them", () => {
    expect(packages).toContain("runtime");
  });
});
